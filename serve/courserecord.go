package serve

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io/fs"
	"net/http"
	"path"
	"strconv"
	"strings"

	"luzhanqi/game"
	"luzhanqi/game/games"
	"luzhanqi/referee/record"
	"luzhanqi/serve/courses"
	"luzhanqi/serve/film"
	"luzhanqi/serve/page"
)

// shows says whether a request wants a record of a course's results as a page, as browsers do, and not as it is.
func shows(r *http.Request, file string) bool {
	return path.Ext(file) == ending && r.FormValue("form") == "" && !wantsJSON(r) && strings.Contains(r.Header.Get("Accept"), "text/html")
}

// resultFile is the file of the results that a request names.
func resultFile(r *http.Request) string {
	return path.Join(r.PathValue("folder"), r.PathValue("part"), r.PathValue("file"))
}

// readResult reads a file of a course's results for who takes part in it; not ok: it was answered.
func (s *Server) readResult(w http.ResponseWriter, r *http.Request, a attending) ([]byte, bool) {
	text, err := a.Result(a.student, resultFile(r))
	switch {
	case err == nil:
		return text, true
	case errors.Is(err, courses.ErrNotYours):
		s.refuse(w, r, http.StatusForbidden, courses.ErrNotYours.Error())
	case errors.Is(err, fs.ErrNotExist):
		s.missing(w, r, "there is no such result, or not yet")
	default:
		s.write(w, r, nil, err)
	}
	return nil, false
}

// courseGame is the page of a game by its record in a course's results: their links to records lead to it.
func (s *Server) courseGame(w http.ResponseWriter, r *http.Request, text []byte) {
	replay, err := record.Read(bytes.NewReader(text), games.Find)
	var f *film.Film
	if err == nil {
		f, err = film.OfRecord(replay, games.Find)
	}
	if err != nil {
		s.refuse(w, r, http.StatusUnprocessableEntity, "this record cannot be shown: "+err.Error())
		return
	}
	m := page.Match{Film: f, Base: r.URL.EscapedPath(), Chosen: "/courses", Eyes: film.All}
	m.Links = []page.Link{
		{Href: "/courses/" + r.PathValue("name") + "/results/" + r.PathValue("folder") + "/index.html", Label: "All marks"},
		{Href: m.Base + "?form=record", Label: "The record as it is"},
	}
	look(&m, r)
	s.recorded(w, r, m, func(side game.Side) (*film.Beliefs, error) { return s.thoughtsIn(r, text, side) })
}

// courseBeliefs answers with the beliefs of one side of a record in a course's results.
func (s *Server) courseBeliefs(w http.ResponseWriter, r *http.Request) {
	a, ok := s.attended(w, r)
	if !ok {
		return
	}
	side, err := game.ParseSide(r.PathValue("side"))
	if err != nil {
		s.missing(w, r, err.Error())
		return
	}
	text, ok := s.readResult(w, r, a)
	if !ok {
		return
	}
	b, err := s.thoughtsIn(r, text, side)
	if err != nil {
		s.refuse(w, r, http.StatusUnprocessableEntity, err.Error())
		return
	}
	s.answer(w, http.StatusOK, part(r, b))
}

// thoughtsIn are the beliefs of one side in the text of a record.
func (s *Server) thoughtsIn(r *http.Request, text []byte, side game.Side) (*film.Beliefs, error) {
	opinion := r.FormValue("opinion") == "1"
	sum := sha256.Sum256(text)
	return s.records.thought(r.Context(), hex.EncodeToString(sum[:])+side.String()+strconv.FormatBool(opinion), side, opinion, func() (*record.Replay, error) {
		return record.Read(bytes.NewReader(text), games.Find)
	})
}
