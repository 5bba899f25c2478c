package queue

import (
	"fmt"
	"time"
)

// partial is a result of which parts have come.
type partial struct {
	text  []byte
	parts int
	last  time.Time
}

// gather puts the parts of a result together; nil: it is not whole yet.
func (g *gate) gather(r *request, part []byte) ([]byte, answer) {
	if r.Parts <= 1 {
		return part, answer{}
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	for mark, p := range g.partial {
		if time.Since(p.last) > staleAfter {
			g.forget(mark)
		}
	}
	mark := string(r.Ticket.Mark)
	p := g.partial[mark]
	switch {
	case r.Part == 0:
		g.forget(mark)
		p = new(partial)
		g.partial[mark] = p
	case p == nil || p.parts != r.Part:
		return nil, answer{Again: true}
	}
	if len(p.text)+len(part) > maxResult || g.held+len(part) > maxPartial {
		g.forget(mark)
		return nil, answer{Error: fmt.Sprintf("results of up to %d bytes are taken, %d at a time", maxResult, maxPartial)}
	}
	p.text, p.parts, p.last = append(p.text, part...), p.parts+1, time.Now()
	g.held += len(part)
	if p.parts < r.Parts {
		return nil, answer{}
	}
	g.forget(mark)
	return p.text, answer{}
}

func (g *gate) forget(mark string) {
	if p := g.partial[mark]; p != nil {
		g.held -= len(p.text)
		delete(g.partial, mark)
	}
}
