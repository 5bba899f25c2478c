package serve

import (
	"net/http"
	"strings"

	"luzhanqi/game"
)

// seating is a seat of a game that has begun, or of one that waits for the other player.
type seating struct {
	id, key string
	side    game.Side
	waits   bool
}

// playAgain begins the game that a request names again with the seats changed: at once against a player of ours, and against a
// person when both want it. not ok: it was answered.
func (s *Server) playAgain(w http.ResponseWriter, r *http.Request) (at seating, ok bool) {
	h := s.hostedGame(w, r)
	if h == nil {
		return at, false
	}
	_, p := h.seat(r)
	switch {
	case p == nil:
		s.refuse(w, r, http.StatusForbidden, "only who has played this game can play it again")
		return at, false
	case h.live():
		s.refuse(w, r, http.StatusConflict, "this game is not over")
		return at, false
	}
	again := p.wish
	again.side = again.side.Other()
	if h.persons[p.wish.side.Other()] == nil {
		next, person, err := s.seatPerson(again, h.opponent)
		if err != nil {
			s.refuse(w, r, http.StatusServiceUnavailable, err.Error())
			return at, false
		}
		return seating{next.ID, person.key, again.side, false}, true
	}
	i, err := s.askAgain(h, again)
	switch {
	case err != nil:
		s.refuse(w, r, http.StatusServiceUnavailable, err.Error())
		return at, false
	case i.game != nil:
		return seating{i.id, i.game.persons[again.side].key, again.side, false}, true
	}
	return seating{i.id, i.key, again.side, true}, true
}

// rematch leads a browser to the same game, begun again, or to where it waits for the other player.
func (s *Server) rematch(w http.ResponseWriter, r *http.Request) {
	at, ok := s.playAgain(w, r)
	if !ok {
		return
	}
	s.seatBrowser(w, at.id, at.key)
	where := "/games/"
	if at.waits {
		where = "/invitations/"
	}
	http.Redirect(w, r, where+at.id, http.StatusSeeOther)
}

// askAgain accepts what the other player of a game has asked for, or asks.
func (s *Server) askAgain(h *hosted, again wish) (*invitation, error) {
	h.againMu.Lock()
	defer h.againMu.Unlock()
	if asked := h.again; asked != nil {
		select {
		case <-asked.done: // it was withdrawn, or this game was played again already
		default:
			if asked.wish.side == again.side {
				return asked, nil // by this player, who comes back to it
			}
			_, err := s.accept(asked, again)
			return asked, err
		}
	}
	i, err := s.newInvitation(again)
	if err != nil {
		return nil, err
	}
	if h.again == nil {
		close(h.wanted)
	}
	h.again = i
	return i, nil
}

// rematchEvents tells the page of one player when the other wants to play again.
func (s *Server) rematchEvents(w http.ResponseWriter, r *http.Request) {
	h := s.find(r.PathValue("id"))
	if h == nil {
		s.missing(w, r, "there is no such game, or it is long over")
		return
	}
	if _, p := h.seat(r); p == nil || h.wanted == nil {
		s.refuse(w, r, http.StatusForbidden, "only who has played this game with another person is told of this")
		return
	}
	s.tellWhen(w, r, h.wanted, func() any { return next{strings.TrimSuffix(r.URL.Path, "/events")} })
}
