package serve

import (
	"context"
	"net/http"

	"luzhanqi/game"
	"luzhanqi/serve/film"
	"luzhanqi/serve/live"
	"luzhanqi/serve/page"
)

// think computes what a side can know in a game, for those who may see it. It waits for its turn: one request at a time thinks.
func (s *Server) think(r *http.Request, h *hosted, who live.Audience, side game.Side) (*film.Beliefs, error) {
	ctx, stop := context.WithTimeout(r.Context(), maxThought)
	defer stop()
	select {
	case s.records.thinking <- struct{}{}:
		defer func() { <-s.records.thinking }()
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	return h.Beliefs(ctx, who, side, r.FormValue("opinion") == "1")
}

// part are the plies of beliefs that a request wants: from one on, and how many.
func part(r *http.Request, b *film.Beliefs) *film.Beliefs {
	return b.Part(number(r.FormValue("from")), number(r.FormValue("plies")))
}

// gameBeliefs answers with the beliefs of one side of a game.
func (s *Server) gameBeliefs(w http.ResponseWriter, r *http.Request) {
	h := s.find(r.PathValue("id"))
	if h == nil {
		s.missing(w, r, "there is no such game, or it is long over")
		return
	}
	side, err := game.ParseSide(r.PathValue("side"))
	if err != nil {
		s.missing(w, r, err.Error())
		return
	}
	who, _ := h.seat(r)
	if film.KindsOf(h.Game.Game) == nil || !h.Sees(who, side) {
		s.refuse(w, r, http.StatusForbidden, "what this side can know is not shown to you before the end, or this game hides nothing")
		return
	}
	b, err := s.think(r, h, who, side)
	if err != nil {
		s.refuse(w, r, http.StatusServiceUnavailable, err.Error())
		return
	}
	s.answer(w, http.StatusOK, part(r, b))
}

// thoughtOf is what the page of a game shows of beliefs, as far as its audience may.
func (s *Server) thoughtOf(r *http.Request, h *hosted, who live.Audience) (t page.Thought) {
	kinds := film.KindsOf(h.Game.Game)
	if kinds == nil {
		return t
	}
	for side := range game.Side(2) {
		if !h.Sees(who, side) {
			continue
		}
		if t.Types == nil {
			t = page.Thought{Address: "/games/" + h.ID + "/beliefs/", Types: kinds, Heat: r.FormValue("heat"), Square: r.FormValue("sq"), Opinion: r.FormValue("opinion") == "1"}
		}
		if t.Heat != "" || t.Square != "" {
			t.Of[side], _ = s.think(r, h, who, side) // without them the page shows none
		}
	}
	return t
}
