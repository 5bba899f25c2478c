package serve

import (
	"context"
	"errors"
	"io"
	"mime"
	"net/http"

	"luzhanqi/game/games"
	"luzhanqi/referee/record"
	"luzhanqi/serve/film"
	"luzhanqi/serve/page"
)

// maxDropped bounds a record that somebody brings: the longest games have less. formed is what a form may add.
const (
	maxDropped = 8 << 20
	formed     = 64 << 10
)

// drop shows a record that somebody brings as a file, and keeps nothing of it: the page needs the server no more.
func (s *Server) drop(w http.ResponseWriter, r *http.Request) {
	s.brought(w, r, func() (io.ReadCloser, error) {
		file, _, err := r.FormFile("record")
		return file, err
	}, func(f *film.Film, replay *record.Replay) error {
		m := page.Match{Film: f, Eyes: film.All}
		look(&m, r)
		facts, err := factsOf(r.Context(), replay)
		if err != nil {
			return err
		}
		if facts[0] != nil {
			m.Thought = page.Contained(facts, [2]*film.Beliefs{})
		}
		text, err := m.File()
		if err != nil {
			return err
		}
		h := w.Header()
		h.Set("Content-Security-Policy", page.Whole)
		h.Set("Content-Type", "text/html; charset=utf-8")
		w.WriteHeader(http.StatusOK)
		w.Write(text)
		return nil
	})
}

// apiJudge judges a record that is the body, and keeps nothing of it.
func (s *Server) apiJudge(w http.ResponseWriter, r *http.Request) {
	if kind, _, err := mime.ParseMediaType(r.Header.Get("Content-Type")); err != nil || kind != recordKind {
		s.refuse(w, r, http.StatusUnsupportedMediaType, "a record is "+recordKind)
		return
	}
	s.brought(w, r, func() (io.ReadCloser, error) { return r.Body, nil }, func(f *film.Film, _ *record.Replay) error {
		s.answer(w, http.StatusOK, matchOf(&page.Match{Film: f, Eyes: film.All}, r))
		return nil
	})
}

// recordKind is the media type of records.
const recordKind = "application/jsonl"

// brought judges a record that somebody brings, and shows it; what cannot be shown is refused.
func (s *Server) brought(w http.ResponseWriter, r *http.Request, open func() (io.ReadCloser, error), show func(*film.Film, *record.Replay) error) {
	select { // what is brought by many is judged one after the other
	case s.records.thinking <- struct{}{}:
		defer func() { <-s.records.thinking }()
	case <-r.Context().Done():
		return
	}
	var f *film.Film
	var replay *record.Replay
	var err error = &http.MaxBytesError{Limit: maxDropped}
	if r.ContentLength <= maxDropped+formed {
		f, replay, err = judged(open)
	}
	if err == nil {
		err = show(f, replay)
	}
	var large *http.MaxBytesError
	switch {
	case errors.As(err, &large):
		s.refuse(w, r, http.StatusRequestEntityTooLarge, "a record that is shown may have 8 MiB")
	case err != nil:
		s.refuse(w, r, http.StatusUnprocessableEntity, "this file cannot be shown: "+err.Error())
	}
}

// judged is a game by the record in a file; guard bounds what is read of a request.
func judged(open func() (io.ReadCloser, error)) (*film.Film, *record.Replay, error) {
	file, err := open()
	if err != nil {
		return nil, nil, err
	}
	defer file.Close()
	replay, err := record.Read(file, games.Find)
	if err != nil {
		return nil, nil, err
	}
	f, err := film.OfRecord(replay, games.Find)
	return f, replay, err
}

// factsOf is what both sides of a record could know by what they observed, as far as there is time; none: the game hides nothing.
func factsOf(ctx context.Context, replay *record.Replay) ([2]*film.Beliefs, error) {
	g, err := games.Find(replay.Header.Game)
	if err != nil {
		return [2]*film.Beliefs{}, err
	}
	ctx, stop := context.WithTimeout(ctx, maxThought)
	defer stop()
	return film.BothBeliefs(ctx, replay, g, false)
}

// drops says whether a request brings a record.
func drops(r *http.Request) bool {
	return r.Method == http.MethodPost && (r.URL.Path == "/records" || r.URL.Path == apiPath+"/records")
}
