package serve

import (
	"errors"
	"fmt"
	"net"
	"sync"
	"time"

	"luzhanqi/serve/systemd"
)

// listen listens for browsers, or takes the socket that a service manager listens on, to which the same rules apply.
func (s *Server) listen() (net.Listener, error) {
	handed, err := systemd.Sockets()
	if err != nil {
		return nil, err
	}
	for name, l := range handed {
		if name != "" && name != "pages" || len(handed) > 1 {
			closeAll(handed)
			return nil, fmt.Errorf("the service manager hands over %d sockets, one with the name %q: allowed is one, without a name or with pages", len(handed), name)
		}
		err := local(l.Addr().String())
		if errors.Is(err, errOthers) {
			err = s.config.opened()
		}
		if err != nil {
			closeAll(handed)
			return nil, fmt.Errorf("the socket %v, which the service manager hands over: %w", l.Addr(), err)
		}
		return l, nil
	}
	l, err := net.Listen("tcp", s.config.Listen)
	if err != nil {
		return nil, fmt.Errorf("listen on %s: %w", s.config.Listen, err)
	}
	return l, nil
}

func closeAll(all map[string]net.Listener) {
	for _, l := range all {
		l.Close()
	}
}

// report tells the service manager that the server is ready, and that it lives for as long as it can look at its games, until
// the function that it returns is called.
func (s *Server) report(manager *systemd.Notifier, address string) (end func()) {
	if err := manager.Ready("serving " + address); err != nil {
		s.log.Warn().Err(err).Msg("the service manager was not told that the server is ready")
	}
	if manager.Every() == 0 {
		return func() {}
	}
	done := make(chan struct{})
	var living sync.WaitGroup
	living.Go(func() {
		tick := time.NewTicker(manager.Every())
		defer tick.Stop()
		for {
			s.all() // a server that hangs on its lock is not alive
			if err := manager.Alive(); err != nil {
				s.log.Warn().Err(err).Msg("the service manager was not told that the server lives")
			}
			select {
			case <-tick.C:
			case <-done:
				return
			}
		}
	})
	return func() {
		close(done)
		living.Wait()
	}
}
