package serve

import (
	"context"
	"net/http"
	"net/http/httptest"
	"runtime"
	"strings"
	"sync"
	"testing"

	"luzhanqi/game/games"
	"luzhanqi/referee"
	"luzhanqi/serve/live"
)

// waited is a context that says when somebody waits for its end.
type waited struct {
	context.Context
	once func()
}

func (w waited) Done() <-chan struct{} {
	w.once()
	return w.Context.Done()
}

// Who asks for the record of a game whose end was just told waits until it is kept, and is not told that there is none.
func TestAPIRecordRightAfterTheEnd(t *testing.T) {
	s, _ := started(t, nil)
	g := games.All[0]
	h := &hosted{Game: live.New("over", &referee.Game{Conditions: referee.Conditions{Game: g, Limits: g.Limits()}}, false)}
	s.add(h)
	h.Ended(nil, &referee.Ending{Code: referee.Void, Reason: "nobody has played"})
	for over := false; !over; runtime.Gosched() {
		h.Look(func(g live.Glance) { over = !g.Live })
	}
	waits, answered := make(chan struct{}), make(chan struct{})
	r := httptest.NewRequest("GET", apiPath+"/games/over/record", nil)
	r.SetPathValue("id", "over")
	r = r.WithContext(waited{t.Context(), sync.OnceFunc(func() { close(waits) })})
	w := httptest.NewRecorder()
	go func() {
		defer close(answered)
		s.apiGameRecord(w, r)
	}()
	select {
	case <-waits:
	case <-answered:
		t.Errorf("before the record was kept it was answered %d %s", w.Code, w.Body)
	}
	name := recorded(t, s, g, 4)
	s.mu.Lock()
	h.kept = name
	s.mu.Unlock()
	h.Close()
	if <-answered; w.Code != http.StatusOK || !strings.HasPrefix(w.Body.String(), `{"event":"header"`) {
		t.Errorf("%d %.200s", w.Code, w.Body)
	}
}
