package serve

import (
	"encoding/json"
	"math/rand/v2"
	"net/http"
	"slices"

	"luzhanqi/game"
	"luzhanqi/game/games"
	"luzhanqi/player"
	"luzhanqi/player/levels"
	"luzhanqi/serve/page"
)

// start is the page on which a game is begun with everything that can be chosen.
func (s *Server) start(w http.ResponseWriter, r *http.Request) {
	g, err := games.Find(r.PathValue("game"))
	if err != nil {
		s.missing(w, r, err.Error())
		return
	}
	p := page.Start{
		Heading: g.Title(), Chosen: "/play", Action: "/play", Game: g.Name(), Problem: r.FormValue("problem"), Levels: levelNames(g.Name()),
		Level: r.FormValue("level"), Side: r.FormValue("side"), Name: r.FormValue("name"),
		Lead: "Play against a player of ours, or invite another person." + unseen(g),
	}
	if !slices.Contains(p.Levels, p.Level) {
		p.Level = levels.Easiest(g).Name
	}
	s.offer(&p, g, r)
	html, err := p.HTML()
	s.write(w, r, html, err)
}

// unseen is said of games that hide something.
func unseen(g game.Game) string {
	if levels.Believer(g) == nil {
		return ""
	}
	return " Nobody sees your pieces before the end."
}

// offers is how many set-ups a page has to choose from.
const offers = 4

// offer adds set-ups to choose from to a page, that of the request at first.
func (s *Server) offer(p *page.Start, g game.Game, r *http.Request) {
	p.Game = g.Name()
	if !g.HasSetUp() {
		return
	}
	var own []game.SetUp
	if setUp, err := readSetUp(g, r); err == nil && setUp != "" {
		own = append(own, setUp)
	}
	p.Offer(g, offered(g, own...))
}

// offered are set-ups to choose from, after those that somebody has.
func offered(g game.Game, all ...game.SetUp) []game.SetUp {
	random := rand.New(rand.NewPCG(rand.Uint64(), 0))
	for n := 0; len(all) < offers && n < 8*offers; n++ { // each another: what makes no difference is no choice
		drawn := g.RandomSetUp(random)
		if n < 2*offers {
			drawn = levels.Strongest(g).New(g, player.Options{}).SetUp(random)
		}
		if !slices.Contains(all, drawn) {
			all = append(all, drawn)
		}
	}
	return all
}

// apiSetUps offers set-ups, or says what is wrong with one.
func (s *Server) apiSetUps(w http.ResponseWriter, r *http.Request) {
	g, err := games.Find(r.PathValue("game"))
	if err != nil {
		s.missing(w, r, err.Error())
		return
	}
	said := struct {
		SetUps []game.SetUp `json:"setups"`
		Why    string       `json:"why,omitempty"`
	}{SetUps: []game.SetUp{}}
	setUp, err := readSetUp(g, r)
	switch {
	case err != nil:
		said.Why = err.Error()
	case setUp == "" && g.HasSetUp():
		said.SetUps = offered(g)
	}
	s.answer(w, http.StatusOK, said)
}

// checkSetUp says whether a set-up is legal, to those who make one.
func (s *Server) checkSetUp(w http.ResponseWriter, r *http.Request) {
	g, err := games.Find(r.PathValue("game"))
	if err != nil {
		s.missing(w, r, err.Error())
		return
	}
	said := struct {
		Why string `json:"why"` // it is not legal; empty: it is
	}{}
	switch setUp, err := readSetUp(g, r); {
	case err != nil:
		said.Why = err.Error()
	case setUp == "":
		said.Why = "no set-up was given"
	}
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(http.StatusOK)
	json.NewEncoder(w).Encode(said)
}
