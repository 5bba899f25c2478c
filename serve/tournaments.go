package serve

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"net/http"
	"strconv"
	"strings"
	"time"

	"luzhanqi/game/games"
	"luzhanqi/referee/record"
	"luzhanqi/serve/film"
	"luzhanqi/serve/page"
	"luzhanqi/serve/tournaments"
	"luzhanqi/tournament/plan"
)

// Tournament is one that is shown. It is played by another process.
type Tournament struct {
	Name  string `toml:"name"`
	Plan  string `toml:"plan"`
	Store string `toml:"store"` // the directory of its results; empty: the plan's name, with .tournament for .toml
}

func (t *Tournament) dir() string {
	if t.Store != "" {
		return t.Store
	}
	return strings.TrimSuffix(t.Plan, ".toml") + ".tournament"
}

func checkTournaments(all []Tournament) error {
	names := map[string]bool{}
	for i, t := range all {
		if t.Name == "" || names[t.Name] || !plain(t.Name) {
			return fmt.Errorf("tournament %d has the name %q: each needs a name of its own, of letters, digits and hyphens", i+1, t.Name)
		}
		names[t.Name] = true
		if _, err := plan.Load(t.Plan); err != nil {
			return fmt.Errorf("tournament %q: plan = %q: %w", t.Name, t.Plan, err)
		}
	}
	return nil
}

// watchTournaments makes what looks at the tournaments of the configuration.
func (s *Server) watchTournaments() {
	for _, t := range s.config.Tournaments {
		s.tournaments = append(s.tournaments, &tournaments.Watched{Name: t.Name, Plan: t.Plan, Dir: t.dir(), Version: s.version, Every: time.Second})
	}
}

// tournamentRoutes are those of pages.
func (s *Server) tournamentRoutes() []route {
	return []route{
		{"GET /tournaments", s.tournamentList},
		{"GET /tournaments/{name}", s.tournament},
		{"GET /tournaments/{name}/events", s.tournamentEvents},
		{"GET /tournaments/{name}/games/{game}", s.tournamentGame},
	}
}

// watched is the tournament that a request names; nil: it was answered.
func (s *Server) watched(w http.ResponseWriter, r *http.Request) *tournaments.Watched {
	for _, t := range s.tournaments {
		if t.Name == r.PathValue("name") {
			return t
		}
	}
	s.missing(w, r, "there is no tournament of that name")
	return nil
}

func (s *Server) tournamentList(w http.ResponseWriter, r *http.Request) {
	var all []page.Listed
	for _, t := range s.tournaments {
		v := t.Now(r.Context())
		all = append(all, page.Listed{Href: "/tournaments/" + t.Name, Title: v.Title, Text: page.Tournament{Name: t.Name, View: v}.Status()})
	}
	html, err := page.Tournaments(all)
	s.write(w, r, html, err)
}

func (s *Server) tournament(w http.ResponseWriter, r *http.Request) {
	t := s.watched(w, r)
	if t == nil {
		return
	}
	html, err := page.Tournament{Name: t.Name, View: t.Now(r.Context())}.HTML()
	s.write(w, r, html, err)
}

// summary is what events say of a tournament.
type summary struct {
	Seq      int  `json:"seq"`
	Finished int  `json:"finished"`
	Playing  int  `json:"playing"`
	Running  bool `json:"running"`
	Complete bool `json:"complete"`
}

func summaryOf(v *tournaments.View) summary {
	return summary{v.Seq, v.Finished, len(v.Playing), v.Running, v.Complete}
}

// tournamentEvents says when there is something new, until the server ends.
func (s *Server) tournamentEvents(w http.ResponseWriter, r *http.Request) {
	t := s.watched(w, r)
	if t == nil {
		return
	}
	have, err := strconv.Atoi(r.Header.Get("Last-Event-ID"))
	if err != nil {
		have = number(r.FormValue("after"))
	}
	s.stream(w, r, t.Every, nil, func() (string, error) {
		v := t.Now(r.Context())
		if v.Seq == have {
			return "", nil
		}
		have = v.Seq
		data, err := json.Marshal(summaryOf(v))
		return fmt.Sprintf("id: %d\ndata: %s\n\n", have, data), err
	})
}

// tournamentRecord is the record of a game of a tournament; nil: it was answered.
func (s *Server) tournamentRecord(w http.ResponseWriter, r *http.Request) []byte {
	t := s.watched(w, r)
	if t == nil {
		return nil
	}
	text, err := t.Record(r.Context(), r.PathValue("game"))
	switch {
	case errors.Is(err, tournaments.ErrWithheld):
		s.refuse(w, r, http.StatusForbidden, err.Error())
	case err != nil && r.Context().Err() == nil:
		s.log.Error().Err(err).Str("tournament", t.Name).Msg("a record cannot be read")
		s.refuse(w, r, http.StatusInternalServerError, "this record cannot be read")
	case text == nil:
		s.missing(w, r, "there is no record of that game: it was not played, or the plan keeps none")
	}
	return text
}

func (s *Server) tournamentGame(w http.ResponseWriter, r *http.Request) {
	text := s.tournamentRecord(w, r)
	if text == nil {
		return
	}
	f, err := filmOfText(text)
	if err != nil {
		s.refuse(w, r, http.StatusUnprocessableEntity, "this record cannot be shown: "+err.Error())
		return
	}
	m := page.Match{Film: f, Base: "/tournaments/" + r.PathValue("name") + "/games/" + r.PathValue("game"), Chosen: "/tournaments", Eyes: film.All}
	m.Links = []page.Link{{Href: "/tournaments/" + r.PathValue("name"), Label: "The tournament"}}
	look(&m, r)
	html, err := m.HTML()
	s.write(w, r, html, err)
}

func filmOfText(text []byte) (*film.Film, error) {
	r, err := record.Read(bytes.NewReader(text), games.Find)
	if err != nil {
		return nil, err
	}
	return film.OfRecord(r, games.Find)
}

// apiTournaments are all tournaments.
func (s *Server) apiTournaments(w http.ResponseWriter, r *http.Request) {
	type row struct {
		Name  string `json:"name"`
		Title string `json:"title"`
		summary
	}
	all := []row{}
	for _, t := range s.tournaments {
		v := t.Now(r.Context())
		all = append(all, row{t.Name, v.Title, summaryOf(v)})
	}
	s.answer(w, http.StatusOK, map[string]any{"tournaments": all})
}

// apiTournament is a tournament as it stands.
func (s *Server) apiTournament(w http.ResponseWriter, r *http.Request) {
	t := s.watched(w, r)
	if t == nil {
		return
	}
	type playing struct {
		ID      string    `json:"id"`
		Players [2]string `json:"players"`
		Worker  string    `json:"worker"`
		Since   time.Time `json:"since"`
	}
	type encounter struct {
		Players [2]string `json:"players"`
		Games   int       `json:"games"`
	}
	type curve struct {
		Name string     `json:"name"`
		Elo  []*float64 `json:"elo"`
	}
	type over struct {
		ID      string    `json:"id"`
		Players [2]string `json:"players"`
		Winner  string    `json:"winner,omitempty"`
		Reason  string    `json:"reason"`
		Plies   int       `json:"plies"`
		Ended   time.Time `json:"ended"`
		Shown   bool      `json:"shown"`
	}
	v := t.Now(r.Context())
	said := struct {
		Name string `json:"name"`
		summary
		Title   string      `json:"title"`
		Problem string      `json:"problem,omitempty"`
		Game    string      `json:"game"`
		Format  string      `json:"format"`
		Games   [2]int      `json:"games"`
		Voids   int         `json:"voids"`
		Table   any         `json:"standings"`
		Now     []playing   `json:"now"`
		Left    []encounter `json:"left"`
		Steps   []int       `json:"steps"`
		Curves  []curve     `json:"curves"`
		Latest  []over      `json:"latest"`
	}{
		Name: t.Name, summary: summaryOf(v), Title: v.Title, Problem: v.Problem, Game: v.Game, Format: v.Format, Games: [2]int{v.Min, v.Max}, Voids: v.Voids,
		Now: []playing{}, Left: []encounter{}, Steps: append([]int{}, v.Steps...), Curves: []curve{}, Latest: []over{},
	}
	if v.Table != nil {
		said.Table = v.Table
	}
	for _, p := range v.Playing {
		said.Now = append(said.Now, playing{p.ID, [2]string{p.First, p.Second}, p.Worker, p.Since})
	}
	for _, e := range v.Left {
		said.Left = append(said.Left, encounter(e))
	}
	for _, c := range v.Curves {
		told := curve{Name: c.Name, Elo: []*float64{}}
		for _, e := range c.Elo {
			if math.IsNaN(e) {
				told.Elo = append(told.Elo, nil)
			} else {
				told.Elo = append(told.Elo, &e)
			}
		}
		said.Curves = append(said.Curves, told)
	}
	for _, o := range v.Latest {
		said.Latest = append(said.Latest, over{o.ID, [2]string{o.First, o.Second}, o.Winner, o.Reason, o.Plies, o.Ended, o.Shown})
	}
	s.answer(w, http.StatusOK, said)
}

func (s *Server) apiTournamentRecord(w http.ResponseWriter, r *http.Request) {
	if text := s.tournamentRecord(w, r); text != nil {
		w.Header().Set("Content-Type", "application/jsonl")
		w.WriteHeader(http.StatusOK)
		w.Write(text)
	}
}
