package referee

import (
	"fmt"

	"luzhanqi/game"
)

// Adapter is how a protocol was adapted to a program. A record holds all of it, so that it can be
// judged without the file.
type Adapter struct {
	Name string `json:"name"`           // of a built-in adapter, or of the file
	Text string `json:"text,omitempty"` // of the file; empty: a built-in adapter
}

// Adapt returns the protocol as the adapter speaks it. The error of a file says what is wrong, and
// in which line.
func (a *Adapter) Adapt(p game.Protocol) (game.Protocol, error) {
	adaptable, ok := p.(game.Adaptable)
	switch {
	case !ok:
		return nil, fmt.Errorf("dialect %s takes no adapter", p.Name())
	case a.Text == "":
		return adaptable.Adapter(a.Name)
	}
	adapted, err := adaptable.ReadAdapter([]byte(a.Text))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", a.Name, err)
	}
	return adapted, nil
}
