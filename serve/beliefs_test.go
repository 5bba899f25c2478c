package serve

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"reflect"
	"strings"
	"testing"

	"luzhanqi/game"
	"luzhanqi/game/games"
	"luzhanqi/serve/film"
)

// Who plays may see while the game goes on what the own side can know, nobody else anything; at the end all is shown to all, and
// is what its record gives.
func TestBeliefsWhileItIsPlayed(t *testing.T) {
	s, server := started(t, nil)
	player, watcher := browser(t), browser(t)
	address := begin(t, player, server, url.Values{"game": {games.All[0].Name()}, "level": {"random"}, "side": {"1"}})
	d := turn(t, player, address)
	if code, text := send(t, player, address, url.Values{"move": {d.Play.Legal[0].Move}, "ply": {"0"}}); code != 204 {
		t.Fatalf("%d %s", code, text)
	}
	turn(t, player, address)
	believed := func(c *http.Client, path string) (b film.Beliefs) {
		t.Helper()
		code, text := get(t, c, address+"/beliefs/"+path)
		if err := json.Unmarshal([]byte(text), &b); err != nil || code != 200 {
			t.Fatalf("%s: %d %v", path, code, err)
		}
		return b
	}
	early, late := believed(player, "1"), believed(player, "1?from=2")
	if len(early.Plies) != 3 || len(late.Plies) != 1 || late.From != 2 || !reflect.DeepEqual(early.Plies[2:], late.Plies) || early.Bits[0] < 50 {
		t.Fatalf("%d plies, then %d from %d, %v bits", len(early.Plies), len(late.Plies), late.From, early.Bits)
	}
	if _, html := get(t, player, address+"?heat=F"); strings.Count(html, `class="odds"`) < 2 {
		t.Error("without scripts the page does not show where the flag can be")
	}
	for _, who := range []struct {
		c    *http.Client
		side int
	}{{player, 2}, {watcher, 1}, {watcher, 2}} {
		if code, _ := get(t, who.c, fmt.Sprintf("%s/beliefs/%d", address, who.side)); code != http.StatusForbidden {
			t.Errorf("beliefs of side %d: %d", who.side, code)
		}
	}
	if _, html := get(t, watcher, address+"?heat=F&eyes=1"); strings.Contains(html, `class="odds"`) || strings.Contains(html, "/beliefs/") {
		t.Error("who watches is shown beliefs")
	}
	if code, text := send(t, player, address, url.Values{"resign": {"yes"}}); code != 204 {
		t.Fatalf("%d %s", code, text)
	}
	h := s.find(address[strings.LastIndexByte(address, '/')+1:])
	<-h.Done()
	s.mu.Lock()
	name := h.kept
	s.mu.Unlock()
	for side := range game.Side(2) {
		want, err := s.records.beliefs(t.Context(), s.records.kept, name, side, true)
		if err != nil {
			t.Fatal(err)
		}
		if got := believed(watcher, side.String()+"?opinion=1"); !reflect.DeepEqual(&got, want) {
			t.Errorf("side %v: the game and its record differ", side)
		}
	}
}
