package serve

import (
	"net/http"
	"net/url"
	"strconv"
)

// wishJSON is a wish as the API reads it.
type wishJSON struct {
	Game, Level, Name, SetUp string
	Side                     int
}

// wishOf makes a wish of it, and leaves it in the request as a form would.
func (s *Server) wishOf(said wishJSON, r *http.Request) (wish, error) {
	r.Form = url.Values{"game": {said.Game}, "level": {said.Level}, "name": {said.Name}, "setup": {said.SetUp}}
	if said.Side != 0 {
		r.Form.Set("side", strconv.Itoa(said.Side))
	}
	return s.readWish(r)
}

// tellSeat tells a program which seat it has, and by which key.
func (s *Server) tellSeat(w http.ResponseWriter, code int, where string, at seating) {
	w.Header().Set("Location", apiPath+where+at.id)
	s.answer(w, code, map[string]any{"id": at.id, "key": at.key, "side": at.side.Number()})
}

// apiRematch begins a game again, or asks the other player to.
func (s *Server) apiRematch(w http.ResponseWriter, r *http.Request) {
	at, ok := s.playAgain(w, r)
	switch {
	case ok && at.waits:
		s.tellSeat(w, http.StatusAccepted, "/invitations/", at)
	case ok:
		s.tellSeat(w, http.StatusCreated, "/games/", at)
	}
}

// apiInvite keeps a seat for whoever is told of it.
func (s *Server) apiInvite(w http.ResponseWriter, r *http.Request) {
	var said struct {
		Game, Name, SetUp string
		Side              int
	}
	if !s.readJSON(w, r, &said) {
		return
	}
	wished, err := s.wishOf(wishJSON{Game: said.Game, Name: said.Name, SetUp: said.SetUp, Side: said.Side}, r)
	if err != nil {
		s.refuse(w, r, http.StatusUnprocessableEntity, err.Error())
		return
	}
	i, err := s.newInvitation(wished)
	if err != nil {
		s.refuse(w, r, http.StatusServiceUnavailable, err.Error())
		return
	}
	s.tellSeat(w, http.StatusCreated, "/invitations/", seating{i.id, i.key, wished.side, true})
}

// standingInvitation is the invitation that a request names, and whether it comes from who has made it; nil: it was answered.
func (s *Server) standingInvitation(w http.ResponseWriter, r *http.Request) (i *invitation, host bool) {
	i, accepted := s.findInvitation(w, r)
	switch {
	case i != nil:
		host = equal(r.Header.Get(HeaderSeat), i.key)
	case accepted:
		s.refuse(w, r, http.StatusConflict, "somebody has accepted this invitation: its game is "+apiPath+"/games/"+r.PathValue("id"))
	}
	return i, host
}

// apiInvitation is what who is invited has to know.
func (s *Server) apiInvitation(w http.ResponseWriter, r *http.Request) {
	if i, _ := s.standingInvitation(w, r); i != nil {
		s.answer(w, http.StatusOK, map[string]any{"id": i.id, "game": i.wish.game.Name(), "from": i.wish.name, "side": i.wish.side.Other().Number()})
	}
}

// hosts is the invitation that a request names, if it comes from who has made it; nil: it was answered.
func (s *Server) hosts(w http.ResponseWriter, r *http.Request) *invitation {
	i, host := s.standingInvitation(w, r)
	if i == nil || host {
		return i
	}
	s.refuse(w, r, http.StatusForbidden, "only who invites can do that: the key of the invitation is needed, as "+HeaderSeat)
	return nil
}

func (s *Server) apiWithdraw(w http.ResponseWriter, r *http.Request) {
	if i := s.hosts(w, r); i != nil {
		s.withdraw(i)
		w.WriteHeader(http.StatusNoContent)
	}
}

// apiInvitationEvents tells who invites when the game begins.
func (s *Server) apiInvitationEvents(w http.ResponseWriter, r *http.Request) {
	if i := s.hosts(w, r); i != nil {
		s.tellWhen(w, r, i.done, func() any {
			if i.game == nil {
				return map[string]bool{"accepted": false}
			}
			return map[string]bool{"accepted": true}
		})
	}
}

// apiAccept begins the game of an invitation.
func (s *Server) apiAccept(w http.ResponseWriter, r *http.Request) {
	i, host := s.standingInvitation(w, r)
	if i == nil {
		return
	}
	if host {
		s.refuse(w, r, http.StatusForbidden, "who invites cannot accept it")
		return
	}
	var said struct{ Name, SetUp string }
	if !s.readJSON(w, r, &said) {
		return
	}
	guest, err := s.wishOf(wishJSON{Game: i.wish.game.Name(), Name: said.Name, SetUp: said.SetUp, Side: i.wish.side.Other().Number()}, r)
	if err != nil {
		s.refuse(w, r, http.StatusUnprocessableEntity, err.Error())
		return
	}
	h, err := s.accept(i, guest)
	if err != nil {
		s.refuse(w, r, http.StatusConflict, err.Error())
		return
	}
	s.tellSeat(w, http.StatusCreated, "/games/", seating{h.ID, h.persons[guest.side].key, guest.side, false})
}
