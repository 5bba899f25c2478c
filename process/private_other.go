//go:build !linux

package process

import (
	"errors"
	"os"
	"path/filepath"
)

// start starts a program, in a private directory if it has one. There is no supervisor here that
// could remove that when the referee is killed.
func start(c Command, path string, streams [3]*os.File) (guard, error) {
	if !c.Confine.Private {
		return startHere(c, path, streams)
	}
	private, err := newPrivate()
	if err != nil {
		return nil, err
	}
	if err := private.fill(c.Dir, nil); err != nil {
		return nil, errors.Join(err, private.end())
	}
	if inside := c.inside(); inside != "" {
		path = filepath.Join(private.path, inside)
	}
	c.Dir = private.path
	if c.Env == nil {
		c.Env = os.Environ()
	}
	c.Env = append([]string{}, c.Env...)
	for _, variable := range privateVariables {
		c.Env = append(c.Env, variable+"="+private.path) // the last one counts
	}
	g, err := startHere(c, path, streams)
	if err != nil {
		return nil, errors.Join(err, private.end())
	}
	return tidy{g, private}, nil
}

// tidy is a guard that removes a private directory in the end.
type tidy struct {
	guard
	private *private
}

func (t tidy) release() error { return errors.Join(t.guard.release(), t.private.end()) }

func (p *private) end() error {
	defer p.close()
	return p.remove()
}
