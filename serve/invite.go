package serve

import (
	"cmp"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"time"

	"luzhanqi/referee"
	"luzhanqi/serve/page"
)

// standing is how long an invitation stands.
const standing = time.Hour

// invitation is a game that waits for a second person. Whoever has its address, of 128 random bits, may come.
type invitation struct {
	id   string // of the game, too
	wish wish
	key  string        // of the seat of the person who invites
	done chan struct{} // closed when it stands no longer
	game *hosted       // which it has become; nil: it was withdrawn, or too old. To be read when done is closed
}

// openInvitation keeps a seat for a second person, and leads to the page that waits for them.
func (s *Server) openInvitation(w http.ResponseWriter, r *http.Request) {
	wished, err := s.readWish(r)
	if err != nil {
		http.Redirect(w, r, "/play/"+url.PathEscape(r.FormValue("game"))+"?"+url.Values{"problem": {err.Error()}}.Encode(), http.StatusSeeOther)
		return
	}
	i, err := s.newInvitation(wished)
	if err != nil {
		s.refuse(w, r, http.StatusServiceUnavailable, err.Error())
		return
	}
	s.seatBrowser(w, i.id, i.key)
	http.Redirect(w, r, "/invitations/"+i.id, http.StatusSeeOther)
}

// newInvitation takes one of the places for games that people play.
func (s *Server) newInvitation(wished wish) (*invitation, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := s.comes(&wished); err != nil {
		return nil, err
	}
	i := &invitation{id: s.newID(), wish: wished, key: newKey(), done: make(chan struct{})}
	s.invitations[i.id] = i
	time.AfterFunc(standing, func() { s.withdraw(i) })
	return i, nil
}

// withdraw ends an invitation that nobody has accepted.
func (s *Server) withdraw(i *invitation) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.invitations[i.id] == i {
		delete(s.invitations, i.id)
		s.goes(&i.wish)
		close(i.done)
	}
}

// accept begins the game of an invitation, with a guest on the other side.
func (s *Server) accept(i *invitation, guest wish) (*hosted, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.invitations[i.id] != i {
		return nil, errTaken
	}
	if s.ending.Err() != nil {
		return nil, errEnds
	}
	guest.game, guest.side = i.wish.game, i.wish.side.Other()
	h, err := s.seatPeople(i.id, referee.Entrant{}, party{i.wish, i.key}, party{guest, newKey()})
	if err != nil {
		return nil, err
	}
	delete(s.invitations, i.id)
	i.game = h
	close(i.done)
	return h, nil
}

// findInvitation is the one that a request names; nil: it was accepted, and the game has its name, or there is none and it was answered.
func (s *Server) findInvitation(w http.ResponseWriter, r *http.Request) (i *invitation, accepted bool) {
	id := r.PathValue("id")
	s.mu.Lock()
	i = s.invitations[id]
	s.mu.Unlock()
	if i == nil && s.find(id) == nil {
		s.missing(w, r, "there is no such invitation: it was withdrawn, or is older than an hour")
		return nil, false
	}
	return i, i == nil
}

// invited is the invitation that a request of a page names; nil: it was answered.
func (s *Server) invited(w http.ResponseWriter, r *http.Request) (i *invitation, host bool) {
	id := r.PathValue("id")
	i, accepted := s.findInvitation(w, r)
	switch {
	case i != nil:
		c, err := r.Cookie(cookieOf(id))
		host = err == nil && equal(c.Value, i.key)
	case accepted:
		http.Redirect(w, r, "/games/"+id, http.StatusSeeOther)
	}
	return i, host
}

// invitation is the page of an invitation: for who has made it, and for who may accept it.
func (s *Server) invitation(w http.ResponseWriter, r *http.Request) {
	i, host := s.invited(w, r)
	if i == nil {
		return
	}
	base := "/invitations/" + i.id
	p := page.Start{Problem: r.FormValue("problem"), Name: r.FormValue("name"), Action: base}
	if host {
		scheme := "http://"
		if s.access.secure {
			scheme = "https://"
		}
		p = page.Start{
			Heading: "Waiting for the other player", Chosen: "/play", Action: base, Link: scheme + r.Host + base, Events: base + "/events",
			Lead: fmt.Sprintf("Give this link to whom you want to play %s with: the first who accepts plays. It stands for an hour.", i.wish.game.Title()),
		}
	} else {
		p.Heading, p.Chosen = "You are invited", "/play"
		p.Lead = fmt.Sprintf("%s invites you to a game of %s. You play %s.%s",
			cmp.Or(i.wish.name, "Somebody"), i.wish.game.Title(), [...]string{"first", "second"}[i.wish.side.Other()], unseen(i.wish.game))
		s.offer(&p, i.wish.game, r)
	}
	html, err := p.HTML()
	s.write(w, r, html, err)
}

// answerInvitation accepts an invitation, or withdraws it.
func (s *Server) answerInvitation(w http.ResponseWriter, r *http.Request) {
	i, host := s.invited(w, r)
	switch {
	case i == nil:
		return
	case host && r.FormValue("withdraw") == "yes":
		s.withdraw(i)
		http.Redirect(w, r, "/play", http.StatusSeeOther)
		return
	}
	guest := wish{game: i.wish.game}
	var err error
	if guest.setUp, err = readSetUp(guest.game, r); err != nil {
		back := url.Values{"problem": {err.Error()}, "name": {r.FormValue("name")}}
		http.Redirect(w, r, "/invitations/"+i.id+"?"+back.Encode(), http.StatusSeeOther)
		return
	}
	guest.name = readName(r)
	h, err := s.accept(i, guest)
	if err != nil {
		s.refuse(w, r, http.StatusConflict, err.Error())
		return
	}
	s.seatBrowser(w, h.ID, h.persons[i.wish.side.Other()].key)
	http.Redirect(w, r, "/games/"+h.ID, http.StatusSeeOther)
}

// invitationEvents tells the page that waits when its game begins.
func (s *Server) invitationEvents(w http.ResponseWriter, r *http.Request) {
	if i, host := s.invited(w, r); i != nil && host {
		s.tellWhen(w, r, i.done, func() any {
			if i.game == nil {
				return next{"/play"}
			}
			return next{"/games/" + i.id}
		})
	} else if i != nil {
		s.refuse(w, r, http.StatusForbidden, "only who invites is told of this")
	}
}

// next is what tells a page where to go.
type next struct {
	Next string `json:"next"`
}

// tellWhen sends one event when done is closed.
func (s *Server) tellWhen(w http.ResponseWriter, r *http.Request, done <-chan struct{}, what func() any) {
	if s.counts.streams.Add(1) > int64(s.config.Watchers) {
		s.counts.streams.Add(-1)
		s.refuse(w, r, http.StatusServiceUnavailable, fmt.Sprintf("%d watch already, and no more can", s.config.Watchers))
		return
	}
	defer s.counts.streams.Add(-1)
	h := w.Header()
	h.Set("Content-Type", "text/event-stream")
	h.Set("X-Accel-Buffering", "no")
	c := http.NewResponseController(w)
	alive := time.NewTicker(streamHeartbeat)
	defer alive.Stop()
	fmt.Fprint(w, "retry: 1000\n\n")
	for {
		c.SetWriteDeadline(time.Now().Add(streamPatience))
		if c.Flush() != nil {
			return
		}
		select {
		case <-done:
			text, err := json.Marshal(what())
			if err != nil {
				return
			}
			fmt.Fprintf(w, "data: %s\n\n", text)
			c.Flush()
			return
		case <-alive.C:
			fmt.Fprint(w, ":\n\n")
		case <-r.Context().Done():
			return
		case <-s.closing.Done():
			return
		}
	}
}
