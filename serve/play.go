package serve

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/url"
	"strconv"
	"strings"

	"luzhanqi/game"
	"luzhanqi/game/games"
	"luzhanqi/player/levels"
	"luzhanqi/referee"
	"luzhanqi/serve/live"
	"luzhanqi/text"
)

// wish is a game that somebody wants to play.
type wish struct {
	game  game.Game
	side  game.Side
	setUp game.SetUp
	name  string
	owner string // whose token asks for it: see [Server.owner]
}

// maxName is how long a person's name may be.
const maxName = 40

func (s *Server) readWish(r *http.Request) (w wish, err error) {
	w.owner = s.owner(r)
	if w.game, err = games.Find(r.FormValue("game")); err != nil {
		return w, err
	}
	switch side := r.FormValue("side"); side {
	case "":
		w.side = game.Side(rand.IntN(2))
	default:
		if w.side, err = game.ParseSide(side); err != nil {
			return w, err
		}
	}
	w.setUp, err = readSetUp(w.game, r)
	w.name = readName(r)
	return w, err
}

// readSetUp reads the set-up that a form has; empty: it shall be drawn. What was written goes before what was chosen.
func readSetUp(g game.Game, r *http.Request) (game.SetUp, error) {
	given := r.FormValue("written")
	if strings.TrimSpace(given) == "" {
		given = r.FormValue("setup")
	}
	if strings.TrimSpace(given) == "" || !g.HasSetUp() {
		return "", nil
	}
	setUp, err := g.ParseSetUp(strings.Trim(given, "\r\n"))
	if err == nil {
		err = g.CheckSetUp(setUp)
	}
	return setUp, err
}

// readName reads what a person wants to be called; empty: they do not say.
func readName(r *http.Request) string {
	return text.Printable(text.Cut(strings.TrimSpace(r.FormValue("name")), maxName))
}

// readOpponent reads which player of ours is played against.
func readOpponent(g game.Game, r *http.Request) (referee.Entrant, error) {
	level, err := levels.Find(g, r.FormValue("level"))
	if err != nil || level.Hidden {
		return referee.Entrant{}, fmt.Errorf("level %q: allowed are %s", r.FormValue("level"), strings.Join(levelNames(g.Name()), ", "))
	}
	return referee.Entrant{Name: level.Name, Level: &level}, nil
}

// begin begins a game of the person who asks against a player of ours.
func (s *Server) begin(w http.ResponseWriter, r *http.Request) {
	wished, err := s.readWish(r)
	var opponent referee.Entrant
	if err == nil {
		opponent, err = readOpponent(wished.game, r)
	}
	if err != nil {
		http.Redirect(w, r, "/play?"+url.Values{"problem": {err.Error()}, "game": {r.FormValue("game")}}.Encode(), http.StatusSeeOther)
		return
	}
	h, p, err := s.seatPerson(wished, opponent)
	if err != nil {
		s.refuse(w, r, http.StatusServiceUnavailable, err.Error())
		return
	}
	s.seatBrowser(w, h.ID, p.key)
	http.Redirect(w, r, "/games/"+h.ID, http.StatusSeeOther)
}

// seatBrowser makes a browser the one that plays at a seat of a game, and answers for it before the game begins.
func (s *Server) seatBrowser(w http.ResponseWriter, id, key string) {
	for _, path := range []string{"/games/", "/invitations/"} {
		http.SetCookie(w, &http.Cookie{
			Name: cookieOf(id), Value: key, Path: path + id, MaxAge: 24 * 60 * 60, Secure: s.access.secure, HttpOnly: true, SameSite: http.SameSiteStrictMode,
		})
	}
}

func newKey() string { return newID() + newID() }

var (
	errEnds  = errors.New("the server is about to end, and begins no more games")
	errTaken = errors.New("somebody else has accepted this invitation, or it was withdrawn")
)

// owner is whose token a request has, of whom there are several; "": there are no tokens.
func (s *Server) owner(r *http.Request) string {
	if len(s.access.tokens) == 0 {
		return ""
	}
	t, _ := s.access.who(r)
	return t.SHA256
}

// ownerOf is whose token it is.
func (s *Server) ownerOf(token string) string {
	t, _ := s.access.find(token)
	return t.SHA256
}

// quarter is how many of the places for all one owner may have.
func quarter(all int) int { return max(1, all/4) }

// comes takes a place for a game that somebody wants to play, or says why there is none. The caller holds the lock.
func (s *Server) comes(w *wish) error {
	if err := s.room(); err != nil {
		return err
	}
	if w.owner != "" && s.peopleOf[w.owner] >= quarter(s.config.Games) {
		return fmt.Errorf("you play, or wait for, %s already; try again when one of them has ended", text.Count(s.peopleOf[w.owner], "game"))
	}
	s.people++
	s.peopleOf[w.owner]++
	return nil
}

// goes gives the place back. The caller holds the lock.
func (s *Server) goes(w *wish) {
	s.people--
	if s.peopleOf[w.owner]--; s.peopleOf[w.owner] == 0 {
		delete(s.peopleOf, w.owner)
	}
}

// room says why no further game of people can begin. The caller holds the lock.
func (s *Server) room() error {
	switch {
	case s.ending.Err() != nil:
		return errEnds
	case s.people >= s.config.Games:
		return fmt.Errorf("%s against people at a time are played here already; try again when one of them has ended", text.Count(s.people, "game"))
	}
	return nil
}

// seatPerson begins a game and seats the person who wished it, opposite an opponent.
func (s *Server) seatPerson(w wish, opponent referee.Entrant) (*hosted, *person, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := s.comes(&w); err != nil {
		return nil, nil, err
	}
	if w.name == "" {
		w.name = "you"
	}
	h, err := s.seatPeople(s.newID(), opponent, party{w, newKey()})
	if err != nil {
		s.goes(&w)
		return nil, nil, err
	}
	return h, h.persons[w.side], nil
}

// party is a person who is to be seated, and the key of the seat.
type party struct {
	wish wish
	key  string
}

// seatPeople begins a game of one person against an opponent, or of two. The caller holds the lock, and has counted it.
func (s *Server) seatPeople(id string, opponent referee.Entrant, all ...party) (*hosted, error) {
	g := &referee.Game{
		Conditions: referee.Conditions{Game: all[0].wish.game, Limits: all[0].wish.game.Limits()}, Entrants: [2]referee.Entrant{opponent, opponent},
		Seed: rand.Uint64() >> 1, Number: 1, Attempt: 1, Version: s.version, Concurrency: s.people,
	}
	if err := g.SetRules(""); err != nil {
		return nil, err
	}
	h := &hosted{people: true, opponent: opponent}
	var sides []game.Side
	for _, one := range all {
		w := one.wish
		p := &person{key: one.key, wish: w}
		h.persons[w.side] = p
		sides = append(sides, w.side)
		name := w.name
		if name == "" {
			name = "player " + w.side.String()
		}
		g.Entrants[w.side] = referee.Entrant{Name: name, Person: true, Seat: func(context.Context, *referee.Game, game.Side, func(referee.Message)) (referee.Seat, error) {
			return p.seat, nil
		}}
	}
	if g.Entrants[0].Name == g.Entrants[1].Name {
		referee.Number(&g.Entrants)
	}
	if len(all) == 2 {
		h.wanted = make(chan struct{})
	}
	h.Game = live.New(id, g, true, sides...)
	for _, side := range sides {
		p := h.persons[side]
		p.seat = live.NewPerson(h.Game, side, p.wish.setUp, rand.New(rand.NewPCG(g.Seed, uint64(side))))
	}
	s.play.Go(func() {
		s.run(h, g)
		s.mu.Lock()
		s.goes(&all[0].wish) // by whom it was counted
		s.mu.Unlock()
	})
	s.games = append(s.games, h)
	return h, nil
}

// move plays a move of a person, or gives the game up.
func (s *Server) move(w http.ResponseWriter, r *http.Request) {
	h := s.find(r.PathValue("id"))
	if h == nil {
		s.missing(w, r, "there is no such game, or it is long over")
		return
	}
	_, p := h.seat(r)
	if p == nil {
		s.refuse(w, r, http.StatusForbidden, "only who plays this game can move")
		return
	}
	var err error
	if r.FormValue("resign") == "yes" {
		err = p.seat.Resign()
	} else {
		err = p.seat.Move(strings.TrimSpace(r.FormValue("move")), number(r.FormValue("ply")))
	}
	if strings.Contains(r.Header.Get("Accept"), "application/json") {
		if err != nil {
			s.refuse(w, r, http.StatusUnprocessableEntity, err.Error())
			return
		}
		w.WriteHeader(http.StatusNoContent)
		return
	}
	back := "/games/" + h.ID
	if err != nil {
		back += "?" + url.Values{"answer": {err.Error()}}.Encode()
	}
	http.Redirect(w, r, back, http.StatusSeeOther)
}

// number is a whole number, or -1.
func number(text string) int {
	n, err := strconv.Atoi(text)
	if err != nil {
		return -1
	}
	return n
}
