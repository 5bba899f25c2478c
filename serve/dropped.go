package serve

import (
	"errors"
	"io"
	"net/http"

	"luzhanqi/game/games"
	"luzhanqi/referee/record"
	"luzhanqi/serve/film"
	"luzhanqi/serve/page"
)

// maxDropped bounds a record that somebody brings: the longest games have less.
const maxDropped = 8 << 20

// drop shows a record that somebody brings as a file, and keeps nothing of it: the page needs the server no more.
func (s *Server) drop(w http.ResponseWriter, r *http.Request) {
	select { // what is brought by many is drawn one after the other
	case s.records.thinking <- struct{}{}:
		defer func() { <-s.records.thinking }()
	case <-r.Context().Done():
		return
	}
	text, err := drawn(r)
	var large *http.MaxBytesError
	switch {
	case errors.As(err, &large):
		s.refuse(w, r, http.StatusRequestEntityTooLarge, "a record that is shown may have 8 MiB")
		return
	case err != nil:
		s.refuse(w, r, http.StatusUnprocessableEntity, "this file cannot be shown: "+err.Error())
		return
	}
	h := w.Header()
	h.Set("Content-Security-Policy", page.Whole)
	h.Set("Content-Type", "text/html; charset=utf-8")
	w.WriteHeader(http.StatusOK)
	w.Write(text)
}

// drawn is the page of the record that a form brings.
func drawn(r *http.Request) ([]byte, error) {
	file, _, err := r.FormFile("record")
	if err != nil {
		return nil, err
	}
	defer file.Close()
	replay, err := record.Read(io.LimitReader(file, maxDropped), games.Find)
	if err != nil {
		return nil, err
	}
	f, err := film.OfRecord(replay, games.Find)
	if err != nil {
		return nil, err
	}
	m := page.Match{Film: f, Eyes: film.All}
	look(&m, r)
	return m.File()
}
