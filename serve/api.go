package serve

import (
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"mime"
	"net/http"
	"strings"

	"luzhanqi/game/games"
	"luzhanqi/referee"
	"luzhanqi/serve/film"
	"luzhanqi/serve/live"
	"luzhanqi/serve/page"
)

// apiPath is where the API begins.
const apiPath = "/api/v1"

// HeaderSeat is the header by which a program says that it plays at a seat: its value is the key from the beginning of the game.
const HeaderSeat = "Luzhanqi-Seat"

// openAPI describes all of the API; a test compares it with the routes and with what they answer.
//
//go:embed openapi.json
var openAPI []byte

// route is what answers a pattern.
type route struct {
	pattern string // method and path
	answer  http.HandlerFunc
}

// apiRoutes are those of the API, which does what the pages do.
func (s *Server) apiRoutes() []route {
	return []route{
		{"GET " + apiPath + "/openapi.json", func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "application/json")
			w.WriteHeader(http.StatusOK)
			w.Write(openAPI)
		}},
		{"GET " + apiPath + "/events", s.indexEvents},
		{"GET " + apiPath + "/offers", s.apiOffers},
		{"GET " + apiPath + "/games", s.apiGames},
		{"POST " + apiPath + "/games", s.apiBegin},
		{"GET " + apiPath + "/games/{id}", s.apiGame},
		{"GET " + apiPath + "/games/{id}/events", s.events},
		{"GET " + apiPath + "/games/{id}/record", s.apiGameRecord},
		{"POST " + apiPath + "/games/{id}/moves", s.apiMove},
		{"POST " + apiPath + "/games/{id}/resign", s.apiResign},
		{"POST " + apiPath + "/games/{id}/rematch", s.apiRematch},
		{"GET " + apiPath + "/games/{id}/rematch/events", s.rematchEvents},
		{"GET " + apiPath + "/games/{id}/beliefs/{side}", s.gameBeliefs},
		{"GET " + apiPath + "/set-ups/{game}", s.apiSetUps},
		{"POST " + apiPath + "/invitations", s.apiInvite},
		{"GET " + apiPath + "/invitations/{id}", s.apiInvitation},
		{"DELETE " + apiPath + "/invitations/{id}", s.apiWithdraw},
		{"POST " + apiPath + "/invitations/{id}/accept", s.apiAccept},
		{"GET " + apiPath + "/invitations/{id}/events", s.apiInvitationEvents},
		{"GET " + apiPath + "/tables", s.apiTables},
		{"GET " + apiPath + "/tables/{name}/join", s.join},
		{"GET " + apiPath + "/records", s.apiRecords},
		{"POST " + apiPath + "/records", s.apiJudge},
		{"GET " + apiPath + "/records/{folder}/{name}", s.apiRecord},
		{"GET " + apiPath + "/records/{folder}/{name}/beliefs/{side}", s.beliefs},
		{"GET " + apiPath + "/records/{folder}/{name}/{form}", s.apiRecordFile},
		{"GET " + apiPath + "/tournaments", s.apiTournaments},
		{"GET " + apiPath + "/tournaments/{name}", s.apiTournament},
		{"GET " + apiPath + "/tournaments/{name}/events", s.tournamentEvents},
		{"GET " + apiPath + "/tournaments/{name}/games/{game}/record", s.apiTournamentRecord},
		{"GET " + apiPath + "/courses", s.apiCourses},
		{"GET " + apiPath + "/courses/{name}", s.apiCourse},
		{"GET " + apiPath + "/courses/{name}/events", s.courseEvents},
		{"GET " + apiPath + "/courses/{name}/results/{folder}/{file}", s.courseResult},
		{"GET " + apiPath + "/courses/{name}/results/{folder}/{part}/{file}", s.courseResult},
		{"GET " + apiPath + "/courses/{name}/results/{folder}/{part}/{file}/beliefs/{side}", s.courseBeliefs},
		{"POST " + apiPath + "/courses/{name}/submissions", s.apiHandIn},
	}
}

// api adds the API.
func (s *Server) api(m *http.ServeMux) {
	for _, r := range s.apiRoutes() {
		m.HandleFunc(r.pattern, r.answer)
	}
	m.HandleFunc("/api/", func(w http.ResponseWriter, r *http.Request) {
		s.missing(w, r, fmt.Sprintf("there is no %s %s; %s/openapi.json says what there is", r.Method, r.URL.Path, apiPath))
	})
}

// wantsJSON says whether errors are to be told as JSON.
func wantsJSON(r *http.Request) bool {
	return strings.HasPrefix(r.URL.Path, "/api/") || strings.Contains(r.Header.Get("Accept"), "application/json")
}

func (s *Server) answer(w http.ResponseWriter, code int, what any) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(code)
	if err := json.NewEncoder(w).Encode(what); err != nil {
		s.log.Debug().Err(err).Msg("an answer was not taken")
	}
}

// readJSON reads what a request says. What nobody asks for is an error: it is a word that was written wrong.
func (s *Server) readJSON(w http.ResponseWriter, r *http.Request, what any) bool {
	if kind, _, err := mime.ParseMediaType(r.Header.Get("Content-Type")); err != nil || kind != "application/json" {
		s.refuse(w, r, http.StatusUnsupportedMediaType, fmt.Sprintf("Content-Type %q: allowed is application/json", r.Header.Get("Content-Type")))
		return false
	}
	d := json.NewDecoder(r.Body)
	d.DisallowUnknownFields()
	err := d.Decode(what)
	if err == nil {
		if _, err = d.Token(); err == io.EOF {
			return true
		}
		err = errors.New("something follows the object")
	}
	s.refuse(w, r, http.StatusBadRequest, fmt.Sprintf("the body: %v; allowed is one JSON object, as %s/openapi.json has it", err, apiPath))
	return false
}

// apiOffers says which games can be played against whom.
func (s *Server) apiOffers(w http.ResponseWriter, _ *http.Request) {
	type offer struct {
		Game   string   `json:"game"`
		Title  string   `json:"title"`
		Levels []string `json:"levels"`
		SetUps bool     `json:"setups"`
	}
	all := []offer{}
	for _, g := range games.All {
		all = append(all, offer{g.Name(), g.Title(), levelNames(g.Name()), g.HasSetUp()})
	}
	s.answer(w, http.StatusOK, map[string]any{"version": s.version, "offers": all})
}

// apiMatch is what an audience may see of a game.
type apiMatch struct {
	ID      string      `json:"id,omitempty"`
	Game    string      `json:"game"`
	Players [2]string   `json:"players"`
	Live    bool        `json:"live"`
	Events  int         `json:"events"` // how many events what is said here contains
	Eyes    []film.Eyes `json:"eyes"`
	Ply     int         `json:"ply"` // of the position
	Pieces  []apiPiece  `json:"pieces"`
	Plies   []film.Ply  `json:"plies"`
	Mover   int         `json:"mover"`
	Play    *page.Play  `json:"play,omitempty"`
	End     *film.End   `json:"end,omitempty"`
}

// apiPiece is a piece as the eyes see it.
type apiPiece struct {
	Square string `json:"square"`
	Side   int    `json:"side"` // 0: nobody's
	Name   string `json:"name"`
}

func matchOf(m *page.Match, r *http.Request) apiMatch {
	look(m, r)
	f := m.Film
	shown := apiMatch{
		Game: f.Game, Players: f.Players, Live: f.End == nil, Events: m.Seq, Eyes: f.Eyes, Pieces: []apiPiece{}, Plies: f.Plies, Mover: f.Mover,
		Play: m.Play, End: f.End, Ply: max(0, min(m.Ply, f.Last())),
	}
	if eyes := m.Eyes; f.Begun() {
		if !f.Has(eyes) {
			eyes = f.Eyes[0]
		}
		for _, p := range f.Pieces(eyes, shown.Ply) {
			shown.Pieces = append(shown.Pieces, apiPiece{f.Squares[p.Square].Name, p.Side, p.Name})
		}
	}
	return shown
}

// apiGames are the games that are played and those that are just over.
func (s *Server) apiGames(w http.ResponseWriter, _ *http.Request) {
	type glance struct {
		ID      string    `json:"id"`
		Game    string    `json:"game"`
		Players [2]string `json:"players"`
		Live    bool      `json:"live"`
		Plies   int       `json:"plies"`
		Table   string    `json:"table,omitempty"`
		End     *film.End `json:"end,omitempty"`
	}
	all := []glance{}
	for _, h := range s.all() {
		h.Look(func(g live.Glance) {
			all = append(all, glance{h.ID, g.Film.Game, g.Film.Players, g.Live, g.Film.Last(), h.table, g.Film.End})
		})
	}
	s.answer(w, http.StatusOK, map[string]any{"games": all})
}

// hostedGame is the game that a request names; nil: it was answered.
func (s *Server) hostedGame(w http.ResponseWriter, r *http.Request) *hosted {
	h := s.find(r.PathValue("id"))
	if h == nil {
		s.missing(w, r, "there is no such game, or it is long over")
	}
	return h
}

func (s *Server) apiGame(w http.ResponseWriter, r *http.Request) {
	h := s.hostedGame(w, r)
	if h == nil {
		return
	}
	who, _ := h.seat(r)
	var text []byte
	var err error
	h.Show(who, func(m *page.Match) { // what it is made of goes on to change afterwards
		shown := matchOf(m, r)
		shown.ID = h.ID
		text, err = json.Marshal(shown)
	})
	if err != nil {
		s.refuse(w, r, http.StatusInternalServerError, "this game cannot be told")
		return
	}
	s.answer(w, http.StatusOK, json.RawMessage(text))
}

// apiBegin begins a game against a level of ours.
func (s *Server) apiBegin(w http.ResponseWriter, r *http.Request) {
	var said wishJSON
	if !s.readJSON(w, r, &said) {
		return
	}
	wished, err := s.wishOf(said, r)
	var opponent referee.Entrant
	if err == nil {
		opponent, err = readOpponent(wished.game, r)
	}
	if err != nil {
		s.refuse(w, r, http.StatusUnprocessableEntity, err.Error())
		return
	}
	h, p, err := s.seatPerson(wished, opponent)
	if err != nil {
		s.refuse(w, r, http.StatusServiceUnavailable, err.Error())
		return
	}
	s.tellSeat(w, http.StatusCreated, "/games/", seating{h.ID, p.key, wished.side, false})
}

// atSeat is the game that a request names, and the person whose key it has; nil: it was answered.
func (s *Server) atSeat(w http.ResponseWriter, r *http.Request) *person {
	h := s.hostedGame(w, r)
	if h == nil {
		return nil
	}
	_, p := h.seat(r)
	if p == nil {
		s.refuse(w, r, http.StatusForbidden, "only who plays this game can do that: the key of its seat is needed, as "+HeaderSeat)
	}
	return p
}

func (s *Server) apiMove(w http.ResponseWriter, r *http.Request) {
	var said struct {
		Move string
		Ply  *int
	}
	p := s.atSeat(w, r)
	if p == nil || !s.readJSON(w, r, &said) {
		return
	}
	if said.Ply == nil {
		s.refuse(w, r, http.StatusUnprocessableEntity, "ply is missing: how many moves you had seen when you chose this one")
		return
	}
	s.played(w, r, p.seat.Move(strings.TrimSpace(said.Move), *said.Ply))
}

func (s *Server) apiResign(w http.ResponseWriter, r *http.Request) {
	if p := s.atSeat(w, r); p != nil {
		s.played(w, r, p.seat.Resign())
	}
}

// played answers whether something could be played.
func (s *Server) played(w http.ResponseWriter, r *http.Request, err error) {
	if err != nil {
		s.refuse(w, r, http.StatusUnprocessableEntity, err.Error())
		return
	}
	w.WriteHeader(http.StatusNoContent)
}

// apiGameRecord is the record of a game that is over.
func (s *Server) apiGameRecord(w http.ResponseWriter, r *http.Request) {
	h := s.hostedGame(w, r)
	if h == nil {
		return
	}
	over := false
	h.Look(func(g live.Glance) { over = !g.Live })
	if over { // it is told before the record is whole
		select {
		case <-h.Done():
		case <-r.Context().Done():
			return
		}
	}
	s.mu.Lock()
	name := h.kept
	s.mu.Unlock()
	if name == "" {
		s.missing(w, r, "there is no record of this game: it is not over, or no folder is configured that keeps records")
		return
	}
	s.recordText(w, r, s.records.kept, name)
}

// apiTables are the tables of the configuration.
func (s *Server) apiTables(w http.ResponseWriter, _ *http.Request) {
	type table struct {
		Name    string    `json:"name"`
		Game    string    `json:"game"`
		Players [2]string `json:"players"`
		Seats   bool      `json:"seats"` // for programs elsewhere
		Now     string    `json:"now,omitempty"`
	}
	all := []table{}
	s.mu.Lock()
	for i := range s.config.Tables {
		t := &s.config.Tables[i]
		told := table{Name: t.Name, Game: t.Game, Players: t.Players, Seats: t.remotes()}
		if h := s.tables[t.Name]; h != nil {
			told.Now = h.ID
		}
		all = append(all, told)
	}
	s.mu.Unlock()
	s.answer(w, http.StatusOK, map[string]any{"tables": all})
}

func (s *Server) apiRecords(w http.ResponseWriter, _ *http.Request) {
	type row struct {
		Folder  int       `json:"folder"`
		Name    string    `json:"name"`
		Game    string    `json:"game"`
		Players [2]string `json:"players"`
		Reason  string    `json:"reason"`
		Plies   int       `json:"plies"`
		Changed string    `json:"changed"`
	}
	briefs, withheld := s.records.list()
	all := []row{}
	for _, b := range briefs {
		all = append(all, row{b.Folder, b.Name, b.Game, b.Players, b.Reason, b.Plies, b.Changed.UTC().Format("2006-01-02T15:04:05Z")})
	}
	s.answer(w, http.StatusOK, map[string]any{"records": all, "unfinished": withheld})
}

func (s *Server) apiRecord(w http.ResponseWriter, r *http.Request) {
	if f := s.filmOf(w, r); f != nil {
		s.answer(w, http.StatusOK, matchOf(&page.Match{Film: f, Eyes: film.All}, r))
	}
}

// apiRecordFile is a record as it is, as a page or as a picture.
func (s *Server) apiRecordFile(w http.ResponseWriter, r *http.Request) {
	if r.PathValue("form") == "record.jsonl" {
		s.recordText(w, r, number(r.PathValue("folder")), r.PathValue("name"))
		return
	}
	s.recordFile(w, r)
}

// recordText is a record as it is.
func (s *Server) recordText(w http.ResponseWriter, r *http.Request, folder int, name string) {
	file, err := s.records.open(folder, name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		s.missing(w, r, "there is no such record")
		return
	case errors.Is(err, errWithheld):
		s.refuse(w, r, http.StatusForbidden, err.Error())
		return
	case err != nil:
		s.refuse(w, r, http.StatusUnprocessableEntity, err.Error())
		return
	}
	defer file.Close()
	w.Header().Set("Content-Type", recordKind)
	w.Header().Set("Content-Disposition", fmt.Sprintf("attachment; filename=%q", name))
	w.WriteHeader(http.StatusOK)
	io.Copy(w, io.LimitReader(file, maxRecord))
}
