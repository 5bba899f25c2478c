package serve

import (
	"errors"
	"fmt"
	"io/fs"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"luzhanqi/game"
	"luzhanqi/game/games"
	"luzhanqi/serve/film"
	"luzhanqi/serve/live"
	"luzhanqi/serve/page"
	"luzhanqi/text"
)

// Handler answers what browsers ask.
func (s *Server) Handler() http.Handler {
	m := http.NewServeMux()
	m.HandleFunc("GET /{$}", s.index)
	m.HandleFunc("GET /events", s.indexEvents)
	m.HandleFunc("GET /games/{id}", s.game)
	m.HandleFunc("GET /games/{id}/events", s.events)
	m.HandleFunc("POST /games/{id}/move", s.move)
	m.HandleFunc("GET /games/{id}/beliefs/{side}", s.gameBeliefs)
	m.HandleFunc("GET /tables/{name}", s.tableNow)
	m.HandleFunc("GET /tables/{name}/join", s.join)
	m.HandleFunc("GET /sign-in", s.signIn)
	m.HandleFunc("POST /sign-in", s.signIn)
	m.HandleFunc("GET /play", s.playForm)
	m.HandleFunc("POST /play", s.begin)
	m.HandleFunc("GET /play/{game}", s.start)
	m.HandleFunc("GET /set-ups/{game}", s.checkSetUp)
	m.HandleFunc("POST /invitations", s.openInvitation)
	m.HandleFunc("GET /invitations/{id}", s.invitation)
	m.HandleFunc("POST /invitations/{id}", s.answerInvitation)
	m.HandleFunc("GET /invitations/{id}/events", s.invitationEvents)
	m.HandleFunc("POST /games/{id}/rematch", s.rematch)
	m.HandleFunc("GET /games/{id}/rematch/events", s.rematchEvents)
	m.HandleFunc("GET /records", s.recordList)
	m.HandleFunc("POST /records", s.drop)
	m.HandleFunc("GET /records/{folder}/{name}", s.record)
	m.HandleFunc("GET /records/{folder}/{name}/{form}", s.recordFile)
	m.HandleFunc("GET /records/{folder}/{name}/beliefs/{side}", s.beliefs)
	m.HandleFunc("GET /static/{name}", static)
	s.api(m)
	for _, r := range slices.Concat(s.tournamentRoutes(), s.courseRoutes()) {
		m.HandleFunc(r.pattern, r.answer)
	}
	if s.config.Operators == "" {
		s.health(m)
	}
	return s.guard(compressed(m))
}

func static(w http.ResponseWriter, r *http.Request) {
	name := r.PathValue("name")
	text, ok := page.Static()[name]
	if !ok {
		http.NotFound(w, r)
		return
	}
	kinds := map[string]string{"css": "text/css; charset=utf-8", "js": "text/javascript; charset=utf-8", "svg": "image/svg+xml", "woff2": "font/woff2"}
	w.Header().Set("Content-Type", kinds[name[strings.LastIndexByte(name, '.')+1:]])
	w.Header().Set("Cache-Control", "max-age=86400")
	w.WriteHeader(http.StatusOK)
	w.Write(text)
}

// write writes a page.
func (s *Server) write(w http.ResponseWriter, r *http.Request, html []byte, err error) {
	if err != nil {
		s.log.Error().Err(err).Str("path", r.URL.Path).Msg("a page cannot be drawn")
		s.refuse(w, r, http.StatusInternalServerError, "this page cannot be drawn")
		return
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.WriteHeader(http.StatusOK)
	w.Write(html)
}

// refuse answers with an error, in the form that was asked for.
func (s *Server) refuse(w http.ResponseWriter, r *http.Request, code int, why string) {
	s.counts.refused.Add(1)
	if wantsJSON(r) {
		s.answer(w, code, map[string]string{"error": why})
		return
	}
	html, err := page.Message{Heading: http.StatusText(code), Text: why}.HTML()
	if err != nil {
		http.Error(w, why, code)
		return
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.WriteHeader(code)
	w.Write(html)
}

func (s *Server) missing(w http.ResponseWriter, r *http.Request, what string) {
	s.refuse(w, r, http.StatusNotFound, what)
}

func rowOf(b brief) page.Row {
	return page.Row{
		Href: fmt.Sprintf("/records/%d/%s", b.Folder, b.Name), Game: b.Game, Players: b.Players, Reason: b.Reason, Plies: b.Plies,
		When: b.Changed.UTC().Format("2006-01-02 15:04"), Name: b.Name,
	}
}

// look reads what a request wants to see of a film.
func look(m *page.Match, r *http.Request) {
	m.Ply = m.Film.Last()
	if n, err := strconv.Atoi(r.FormValue("ply")); err == nil {
		m.Ply = n
	}
	if eyes := film.Eyes(r.FormValue("eyes")); m.Film.Has(eyes) {
		m.Eyes = eyes
	}
	if flip := r.FormValue("flip"); flip != "" {
		m.Flip = flip == "1"
	}
}

func (s *Server) game(w http.ResponseWriter, r *http.Request) {
	h := s.find(r.PathValue("id"))
	if h == nil {
		s.missing(w, r, "there is no such game, or it is long over")
		return
	}
	who, _ := h.seat(r)
	if who != live.Watchers {
		h.AwaitBegin(r.Context(), who)
	}
	over := false
	h.Look(func(g live.Glance) { over = !g.Live })
	if over { // it is told before its record is whole
		select {
		case <-h.Done():
		case <-r.Context().Done():
			return
		}
	}
	thought := s.thoughtOf(r, h, who)
	html, err := h.Match(who, func(m *page.Match) {
		m.Thought = thought
		m.Base, m.Chosen = "/games/"+h.ID, "/"
		if h.people {
			m.Chosen = "/play"
		}
		m.Flip = who == live.AtSecond
		look(m, r)
		if m.Film.End == nil {
			m.Events = m.Base + "/events"
		} else if s.mu.Lock(); true {
			if h.kept != "" {
				m.Links = append(m.Links, page.Link{Href: fmt.Sprintf("/records/%d/%s", s.records.kept, h.kept), Label: "Its record"})
			}
			s.mu.Unlock()
		}
		if m.Play != nil {
			m.Play.Action, m.Play.Answer = m.Base+"/move", r.FormValue("answer")
			m.Play.Rematch, m.Play.Person = m.Base+"/rematch", h.wanted != nil
			if len(m.Play.Legal) > 0 {
				m.Play.Example = m.Play.Legal[0].Move
			}
		}
	})
	s.write(w, r, html, err)
}

func (s *Server) events(w http.ResponseWriter, r *http.Request) {
	h := s.find(r.PathValue("id"))
	if h == nil {
		s.missing(w, r, "there is no such game, or it is long over")
		return
	}
	if s.counts.streams.Add(1) > int64(s.config.Watchers) {
		s.counts.streams.Add(-1)
		s.refuse(w, r, http.StatusServiceUnavailable, fmt.Sprintf("%d watch already, and no more can", s.config.Watchers))
		return
	}
	defer s.counts.streams.Add(-1)
	who, _ := h.seat(r)
	h.Follow(s.closing, who, w, r)
}

// hasTable says whether a table is configured.
func (s *Server) hasTable(name string) bool {
	return slices.ContainsFunc(s.config.Tables, func(t Table) bool { return t.Name == name })
}

// tableNow leads to the game that is played at a table.
func (s *Server) tableNow(w http.ResponseWriter, r *http.Request) {
	seq := s.front.now(s.all) // before the table is looked at, so that nothing falls between
	s.mu.Lock()
	h := s.tables[r.PathValue("name")]
	s.mu.Unlock()
	switch {
	case h == nil && !s.hasTable(r.PathValue("name")):
		s.missing(w, r, "there is no such table")
		return
	case h == nil:
		html, err := page.Message{Heading: r.PathValue("name"), Text: "no game has begun at this table yet; it appears here when one does", Events: "/events", Seq: seq}.HTML()
		s.write(w, r, html, err)
		return
	}
	http.Redirect(w, r, "/games/"+h.ID, http.StatusSeeOther)
}

// maxFind is how long what is looked for may be, in characters.
const maxFind = 100

// says whether all of these words stand in what the list says of a record.
func (b brief) says(words string) bool {
	said := strings.ToLower(strings.Join([]string{b.Game, b.Players[0], b.Players[1], b.Reason, b.Name}, " "))
	for _, word := range strings.Fields(strings.ToLower(words)) {
		if !strings.Contains(said, word) {
			return false
		}
	}
	return true
}

func (s *Server) recordList(w http.ResponseWriter, r *http.Request) {
	all, withheld := s.records.list()
	p := page.Records{Withheld: withheld, Find: text.Cut(strings.TrimSpace(r.FormValue("find")), maxFind)}
	for _, b := range all {
		if b.says(p.Find) {
			p.Rows = append(p.Rows, rowOf(b))
		}
	}
	p.All = len(p.Rows)
	p.Pages = max(1, (p.All+page.RecordsShown-1)/page.RecordsShown)
	p.Page = max(1, min(number(r.FormValue("page")), p.Pages))
	p.Rows = p.Rows[(p.Page-1)*page.RecordsShown : min(p.All, p.Page*page.RecordsShown)]
	html, err := p.HTML()
	s.write(w, r, html, err)
}

// filmOf finds the film of the record that a request names; nil: it was answered.
func (s *Server) filmOf(w http.ResponseWriter, r *http.Request) *film.Film {
	f, err := s.records.film(number(r.PathValue("folder")), r.PathValue("name"))
	switch {
	case err == nil:
		return f
	case errors.Is(err, errWithheld):
		s.refuse(w, r, http.StatusForbidden, err.Error())
	case errors.Is(err, fs.ErrNotExist):
		s.missing(w, r, "there is no such record")
	default:
		s.refuse(w, r, http.StatusUnprocessableEntity, "this record cannot be shown: "+err.Error())
	}
	return nil
}

func (s *Server) record(w http.ResponseWriter, r *http.Request) {
	f := s.filmOf(w, r)
	if f == nil {
		return
	}
	m := page.Match{Film: f, Base: "/records/" + r.PathValue("folder") + "/" + r.PathValue("name"), Chosen: "/records", Eyes: film.All}
	m.Links = []page.Link{{Href: m.Base + "/page.html", Label: "Save as one file"}, {Href: m.Base + "/position.svg", Label: "Picture of the last position"}}
	look(&m, r)
	s.recorded(w, r, m, func(side game.Side) (*film.Beliefs, error) { return s.beliefsOf(r, side) })
}

// recorded writes the page of a recorded game, with the beliefs of its sides if the request asks for them; they come from beside it.
func (s *Server) recorded(w http.ResponseWriter, r *http.Request, m page.Match, beliefs func(game.Side) (*film.Beliefs, error)) {
	if g, err := games.Find(m.Film.Game); err == nil && m.Film.Begun() && film.KindsOf(g) != nil {
		m.Thought = page.Thought{Address: m.Base + "/beliefs/", Types: film.KindsOf(g), Heat: r.FormValue("heat"), Square: r.FormValue("sq"), Opinion: r.FormValue("opinion") == "1"}
		for side := range m.Of {
			if m.Thought.Heat == "" && m.Square == "" {
				break
			}
			if m.Of[side], err = beliefs(game.Side(side)); err != nil {
				s.refuse(w, r, http.StatusUnprocessableEntity, err.Error())
				return
			}
		}
	}
	html, err := m.HTML()
	s.write(w, r, html, err)
}

// beliefsOf are the beliefs of a side in the record that a request names.
func (s *Server) beliefsOf(r *http.Request, side game.Side) (*film.Beliefs, error) {
	return s.records.beliefs(r.Context(), number(r.PathValue("folder")), r.PathValue("name"), side, r.FormValue("opinion") == "1")
}

// beliefs answers with the beliefs of one side of a record.
func (s *Server) beliefs(w http.ResponseWriter, r *http.Request) {
	side, err := game.ParseSide(r.PathValue("side"))
	if err != nil {
		s.missing(w, r, err.Error())
		return
	}
	if s.filmOf(w, r) == nil {
		return
	}
	b, err := s.beliefsOf(r, side)
	if err != nil {
		s.refuse(w, r, http.StatusUnprocessableEntity, err.Error())
		return
	}
	s.answer(w, http.StatusOK, part(r, b))
}

// recordFile is a record as a file to be kept.
func (s *Server) recordFile(w http.ResponseWriter, r *http.Request) {
	form := r.PathValue("form")
	if form != "page.html" && form != "position.svg" {
		s.missing(w, r, "a record has the forms page.html and position.svg")
		return
	}
	f := s.filmOf(w, r)
	if f == nil {
		return
	}
	m := page.Match{Film: f, Eyes: film.All}
	look(&m, r)
	if g, err := games.Find(f.Game); err == nil && form == "page.html" && f.Begun() && film.KindsOf(g) != nil {
		var both [2][2]*film.Beliefs
		for i, opinion := range []bool{false, true} {
			for side := range game.Side(2) {
				if both[i][side], err = s.records.beliefs(r.Context(), number(r.PathValue("folder")), r.PathValue("name"), side, opinion); err != nil {
					s.refuse(w, r, http.StatusUnprocessableEntity, err.Error())
					return
				}
			}
		}
		m.Thought = page.Contained(both[0], both[1])
	}
	draw, kind := m.File, "text/html; charset=utf-8"
	if form == "position.svg" {
		draw, kind = m.SVG, "image/svg+xml"
	}
	text, err := draw()
	if err != nil {
		s.refuse(w, r, http.StatusUnprocessableEntity, err.Error())
		return
	}
	name := strings.TrimSuffix(r.PathValue("name"), ending) + form[strings.IndexByte(form, '.'):]
	w.Header().Set("Content-Disposition", fmt.Sprintf("attachment; filename=%q", name))
	w.Header().Set("Content-Type", kind)
	w.WriteHeader(http.StatusOK)
	w.Write(text)
}

func (s *Server) playForm(w http.ResponseWriter, r *http.Request) {
	p := page.New{Chosen: r.FormValue("game"), Problem: r.FormValue("problem")}
	for _, g := range games.All {
		p.Games = append(p.Games, page.NewGame{Name: g.Name(), Title: g.Title(), Levels: levelNames(g.Name()), SetUps: g.HasSetUp()})
	}
	html, err := p.HTML()
	s.write(w, r, html, err)
}
