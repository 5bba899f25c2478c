package serve

import (
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"luzhanqi/game/games"
)

// post sends a form, and returns where it leads.
func post(t *testing.T, c *http.Client, address string, form url.Values) (code int, where string) {
	t.Helper()
	r, err := c.PostForm(address, form)
	if err != nil {
		t.Fatal(err)
	}
	r.Body.Close()
	return r.StatusCode, r.Request.URL.Path
}

// Two people play each other by a link, each in a browser of their own, and play again with their seats changed.
func TestInvitation(t *testing.T) {
	s, server := started(t, nil)
	host, guest, third := browser(t), browser(t), browser(t)
	own := games.All[0].RandomSetUp(rand.New(rand.NewPCG(1, 1)))
	code, link := post(t, host, server+"/invitations", url.Values{"game": {"luzhanqi"}, "side": {"2"}, "name": {"Ada"}, "setup": {string(own)}})
	if code != 200 || !strings.HasPrefix(link, "/invitations/") {
		t.Fatalf("%d %s", code, link)
	}
	if _, html := get(t, host, server+link); !strings.Contains(html, `value="`+server+link+`"`) {
		t.Fatalf("the page that waits does not show its link:\n%s", html)
	}
	_, html := get(t, guest, server+link)
	if !strings.Contains(html, "Ada invites you") || strings.Contains(html, string(own)) {
		t.Fatalf("the guest's page:\n%s", html)
	}
	came := make(chan string)
	go func() {
		_, text := get(t, host, server+link+"/events")
		came <- text
	}()
	if code, _ = get(t, guest, server+link+"/events"); code != http.StatusForbidden {
		t.Fatalf("a guest is told what the host is: %d", code)
	}
	if code, where := post(t, guest, server+link, url.Values{"setup": {"A1:3"}}); code != 200 || where != link || s.find(link[len("/invitations/"):]) != nil {
		t.Fatalf("an illegal set-up: %d %s", code, where)
	}
	code, game := post(t, guest, server+link, url.Values{"name": {"Bob"}})
	if code != 200 || !strings.HasPrefix(game, "/games/") {
		t.Fatalf("%d %s", code, game)
	}
	if text := <-came; !strings.Contains(text, game) {
		t.Fatalf("the host is told %q", text)
	}
	if code, where := post(t, third, server+link, url.Values{}); code != 200 || where != game {
		t.Fatalf("who comes too late: %d %s", code, where)
	}
	for n := range 4 {
		mover, other := guest, host
		if n%2 == 1 {
			mover, other = host, guest
		}
		d := turn(t, mover, server+game)
		form := url.Values{"move": {d.Play.Legal[0].Move}, "ply": {fmt.Sprint(len(d.Plies))}}
		for _, c := range []*http.Client{other, third} {
			if code, _ := send(t, c, server+game, form); code == 204 {
				t.Fatal("somebody else has moved")
			}
		}
		if code, text := send(t, mover, server+game, form); code != 204 {
			t.Fatalf("%d %s", code, text)
		}
	}
	if code, _ := post(t, host, server+game+"/rematch", nil); code != http.StatusConflict {
		t.Fatalf("a rematch of a game that goes on: %d", code)
	}
	if code, text := send(t, host, server+game, url.Values{"resign": {"yes"}}); code != 204 { // it is the guest's turn: at the next
		t.Fatalf("%d %s", code, text)
	}
	d := turn(t, guest, server+game)
	send(t, guest, server+game, url.Values{"move": {d.Play.Legal[0].Move}, "ply": {fmt.Sprint(len(d.Plies))}})
	h := s.find(game[len("/games/"):])
	select {
	case <-h.Done():
	case <-time.After(10 * time.Second):
		t.Fatal("the game did not end")
	}
	if d := read(t, third, server+game); d.End == nil || d.End.Code != "resigned" {
		t.Fatalf("the end is %+v", d.End)
	}

	if code, _ := post(t, third, server+game+"/rematch", nil); code != http.StatusForbidden {
		t.Fatalf("who has not played plays again: %d", code)
	}
	_, waiting := post(t, guest, server+game+"/rematch", nil)
	if !strings.HasPrefix(waiting, "/invitations/") {
		t.Fatalf("the first who wants a rematch waits at %s", waiting)
	}
	if _, again := post(t, guest, server+game+"/rematch", nil); again != waiting {
		t.Fatalf("asked twice, and waits at %s and %s", waiting, again)
	}
	if _, text := get(t, host, server+game+"/rematch/events"); !strings.Contains(text, "/rematch") {
		t.Fatalf("the other is told %q", text)
	}
	_, next := post(t, host, server+game+"/rematch", nil)
	if !strings.HasPrefix(next, "/games/") || next == game {
		t.Fatalf("the rematch is at %s", next)
	}
	if d := turn(t, host, server+next); len(d.Plies) != 0 {
		t.Fatal("who was second does not begin")
	}
	if s.find(next[len("/games/"):]).Players != [2]string{"Ada", "Bob"} {
		t.Fatal("the seats were not changed")
	}
}

// An invitation takes a place of those for games of people, and gives it back.
func TestWithdrawnInvitation(t *testing.T) {
	_, server := started(t, func(c *Config) { c.Games = 1 })
	host, guest := browser(t), browser(t)
	for range 3 {
		code, link := post(t, host, server+"/invitations", url.Values{"game": {"jungle"}})
		if code != 200 {
			t.Fatal(code)
		}
		if code, _ := post(t, guest, server+"/play", url.Values{"game": {"jungle"}, "level": {"random"}}); code != http.StatusServiceUnavailable {
			t.Fatalf("a game more than there is room for: %d", code)
		}
		if code, where := post(t, host, server+link, url.Values{"withdraw": {"yes"}}); code != 200 || where != "/play" {
			t.Fatalf("%d %s", code, where)
		}
		if code, _ := post(t, guest, server+link, nil); code != http.StatusNotFound {
			t.Fatalf("what was withdrawn was accepted: %d", code)
		}
	}
}

// A rematch against a player of ours begins at once, with the same set-up on the other side.
func TestRematch(t *testing.T) {
	s, server := started(t, nil)
	c := browser(t)
	game := begin(t, c, server, url.Values{"game": {"gastank"}, "level": {"random"}, "side": {"1"}})
	turn(t, c, game)
	if code, text := send(t, c, game, url.Values{"resign": {"yes"}}); code != 204 {
		t.Fatalf("%d %s", code, text)
	}
	<-s.find(game[strings.LastIndexByte(game, '/')+1:]).Done()
	if _, html := get(t, c, game); !strings.Contains(html, `action="`+game[len(server):]+`/rematch"><button`) {
		t.Fatal("the page of a game that is over has no rematch")
	}
	_, next := post(t, c, game+"/rematch", nil)
	if h := s.find(strings.TrimPrefix(next, "/games/")); h == nil || h.persons[1] == nil || h.Players != [2]string{"random", "you"} {
		t.Fatalf("the rematch is at %s", next)
	}
}

// What was made by hand is checked by the server, which knows the rules.
func TestCheckSetUp(t *testing.T) {
	_, server := started(t, nil)
	c := browser(t)
	g := games.All[0]
	own := string(g.RandomSetUp(rand.New(rand.NewPCG(2, 1))))
	for _, test := range []struct {
		setUp, says string
	}{
		{own, `"why":""`},
		{strings.Replace(own, ":F", ":3", 1), "flag"},
		{"", "no set-up"},
	} {
		if code, text := get(t, c, server+"/set-ups/"+g.Name()+"?"+url.Values{"setup": {test.setUp}}.Encode()); code != 200 || !strings.Contains(text, test.says) {
			t.Errorf("%q: %d %.300s", test.setUp, code, text)
		}
	}
	if code, _ := get(t, c, server+"/set-ups/chess?setup=x"); code != 404 {
		t.Errorf("a game that there is not: %d", code)
	}
}
