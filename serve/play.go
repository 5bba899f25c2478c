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
	level string
}

// maxName is how long a person's name may be.
const maxName = 40

func readWish(r *http.Request) (w wish, err error) {
	if w.game, err = games.Find(r.FormValue("game")); err != nil {
		return w, err
	}
	w.level = r.FormValue("level")
	if l, err := levels.Find(w.game, w.level); err != nil || l.Hidden {
		return w, fmt.Errorf("level %q: allowed are %s", w.level, strings.Join(levelNames(w.game.Name()), ", "))
	}
	switch side := r.FormValue("side"); side {
	case "":
		w.side = game.Side(rand.IntN(2))
	default:
		if w.side, err = game.ParseSide(side); err != nil {
			return w, err
		}
	}
	if setUp := strings.TrimSpace(r.FormValue("setup")); setUp != "" && w.game.HasSetUp() {
		if w.setUp, err = w.game.ParseSetUp(setUp); err == nil {
			err = w.game.CheckSetUp(w.setUp)
		}
		if err != nil {
			return w, err
		}
	}
	if w.name = text.Printable(text.Cut(strings.TrimSpace(r.FormValue("name")), maxName)); w.name == "" {
		w.name = "you"
	}
	return w, nil
}

// begin begins a game of the person who asks against a player of ours.
func (s *Server) begin(w http.ResponseWriter, r *http.Request) {
	wished, err := readWish(r)
	if err != nil {
		http.Redirect(w, r, "/play?"+url.Values{"problem": {err.Error()}, "game": {r.FormValue("game")}}.Encode(), http.StatusSeeOther)
		return
	}
	level, err := levels.Find(wished.game, wished.level)
	if err != nil {
		s.refuse(w, r, http.StatusUnprocessableEntity, err.Error())
		return
	}
	h, p, err := s.seatPerson(wished, referee.Entrant{Name: level.Name, Level: &level})
	if err != nil {
		s.refuse(w, r, http.StatusServiceUnavailable, err.Error())
		return
	}
	http.SetCookie(w, &http.Cookie{
		Name: cookieOf(h.ID), Value: p.key, Path: "/games/" + h.ID, MaxAge: 24 * 60 * 60, HttpOnly: true, SameSite: http.SameSiteStrictMode,
	})
	http.Redirect(w, r, "/games/"+h.ID, http.StatusSeeOther)
}

// seatPerson begins a game and seats the person who wished it, opposite an opponent.
func (s *Server) seatPerson(w wish, opponent referee.Entrant) (*hosted, *person, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case s.ending.Err() != nil:
		return nil, nil, errors.New("the server is about to end, and begins no more games")
	case s.people >= s.config.Games:
		return nil, nil, fmt.Errorf("%s against people at a time are played here already; try again when one of them has ended", text.Count(s.people, "game"))
	}
	g := &referee.Game{
		Conditions: referee.Conditions{Game: w.game, Limits: w.game.Limits()},
		Seed:       rand.Uint64() >> 1, Number: 1, Attempt: 1, Version: s.version, Concurrency: 1 + s.people,
	}
	if err := g.SetRules(""); err != nil {
		return nil, nil, err
	}
	p := &person{key: newID() + newID()}
	g.Entrants[w.side] = referee.Entrant{Name: w.name, Person: true, Seat: func(context.Context, *referee.Game, game.Side, func(referee.Message)) (referee.Seat, error) {
		return p.seat, nil
	}}
	g.Entrants[w.side.Other()] = opponent
	l := live.New(s.newID(), g, true, w.side)
	p.seat = live.NewPerson(l, w.side, w.setUp, rand.New(rand.NewPCG(g.Seed, uint64(w.side))))
	h := &hosted{Game: l, people: true}
	h.persons[w.side] = p
	s.people++
	s.play.Go(func() {
		s.run(h, g)
		s.mu.Lock()
		s.people--
		s.mu.Unlock()
	})
	s.games = append(s.games, h)
	return h, p, nil
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
