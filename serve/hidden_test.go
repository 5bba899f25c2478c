package serve

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"luzhanqi/game"
	"luzhanqi/game/games"
	rules "luzhanqi/game/luzhanqi"
	"luzhanqi/referee"
	"luzhanqi/serve/film"
)

// scripted is an opponent with a given set-up that plays a move if it can, whatever it knows.
type scripted struct {
	setUp game.SetUp
	n     int
	// fights: it attacks where it can, and else plays its first move.
	fights bool
}

func (s *scripted) Tell(game.Event, game.View)             {}
func (s *scripted) Close(time.Duration) referee.Postmortem { return referee.Postmortem{} }

func (s *scripted) Ask(_ context.Context, q referee.Question) (game.Answer, *referee.Foul) {
	if q.Kind == game.AnswerSetUp {
		return game.Answer{Kind: game.AnswerSetUp, SetUp: s.setUp}, nil
	}
	moves := q.View.Moves(nil)
	s.n++
	if s.fights {
		v := q.View.(*rules.View)
		at := slices.IndexFunc(moves, func(m game.Move) bool { return v.Enemy().Has(m.To) })
		return game.Answer{Kind: game.AnswerMove, Move: moves[max(0, at)]}, nil
	}
	return game.Answer{Kind: game.AnswerMove, Move: moves[len(moves)-1]}, nil
}

// hiddenSetUps are different, but what can move is where it was.
var hiddenSetUps = [2]game.SetUp{
	"A1:3 B1:F C1:L D1:2 E1:3 A2:L B2:B C2:L D2:B E2:1 A3:7 C3:6 E3:2 A4:1 B4:6 D4:2 E4:1 A5:9 C5:4 E5:3 A6:5 B6:4 C6:8 D6:5 E6:7",
	"A1:3 B1:2 C1:L D1:F E1:3 A2:L B2:B C2:L D2:B E2:1 A3:6 C3:7 E3:2 A4:1 B4:6 D4:2 E4:1 A5:8 C5:3 E5:4 A6:5 B6:4 C6:9 D6:5 E6:7",
}

// fuzzed are requests for what is hidden in a game.
var fuzzed = []string{
	"", "?eyes=all", "?eyes=2", "?eyes=open&ply=1", "?ply=1&flip=1", "?ply=99999999999999999999", "?ply=-4&eyes=1%00", "?sq=A12", "?answer=x", "/events?after=0",
	"/events?after=-1", "/events?after=2", "/beliefs/2", "/beliefs/1", "/beliefs/1?opinion=1&from=2", "?heat=F&sq=B12&eyes=2", "/record", "/move",
}

// asked are requests to the API for all that it tells of a game and of everything else: every path of the description that is read, with
// what could stand in it, and what nobody is to write there.
func asked(t *testing.T, id string) (all []string) {
	t.Helper()
	fill := map[string][]string{
		"{id}": {id}, "{side}": {"1", "2", "3"}, "{folder}": {"0", "1"}, "{name}": {"none", id + ".jsonl"}, "{form}": {"record.jsonl", "position.svg"},
		"{game}": {"1"}, "{file}": {"x"}, "{part}": {"records"},
	}
	for path, methods := range description(t).Paths {
		if _, read := methods["get"]; !read {
			continue
		}
		paths := []string{path}
		for word, values := range fill {
			var filled []string
			for _, p := range paths {
				if !strings.Contains(p, word) {
					filled = append(filled, p)
					continue
				}
				for _, v := range values {
					filled = append(filled, strings.Replace(p, word, v, 1))
				}
			}
			paths = filled
		}
		for _, p := range paths {
			if strings.Contains(p, "{") {
				t.Errorf("nothing is known to fill %s with", p)
			}
			for _, more := range []string{"", "?eyes=2", "?eyes=all&ply=1", "?ply=-1&eyes=open", "?after=0&opinion=1&from=2"} {
				all = append(all, p+more)
			}
		}
	}
	slices.Sort(all)
	return all
}

// keyed is a client of the API that plays at a seat.
type keyed string

func (k keyed) RoundTrip(r *http.Request) (*http.Response, error) {
	r = r.Clone(r.Context())
	r.Header.Set(HeaderSeat, string(k))
	return http.DefaultTransport.RoundTrip(r)
}

// took is what differs from game to game: times.
var took = regexp.MustCompile(`"ms":[0-9.e-]+|[0-9.]+ s( / |<)`)

// Everything that side 1, a watcher or anybody else gets is the same, byte for byte, in two games that differ in what is
// hidden from them alone; and at the end it is not hidden any more.
func TestHiddenUntilTheEnd(t *testing.T) {
	hiddenFrom(t, hiddenSetUps[0], hiddenSetUps, 6, nil)
}

// The same after a game in which many pieces have fought, of which one knows how each fight went and no rank: other pieces have others.
func TestHiddenAfterFights(t *testing.T) {
	const own = "A1:3 B1:F C1:L D1:2 E1:3 A2:L B2:B C2:L D2:B E2:1 A3:7 C3:6 E3:2 A4:1 B4:6 D4:2 E4:1 A5:9 C5:4 E5:3 A6:5 B6:4 C6:8 D6:5 E6:7"
	texts := hiddenFrom(t, own, [2]game.SetUp{own, "A1:3 B1:2 C1:L D1:F E1:3 A2:L B2:B C2:L D2:B E2:2 A3:6 C3:7 E3:1 A4:1 B4:6 D4:2 E4:1 A5:9 C5:4 E5:3 A6:5 B6:4 C6:8 D6:5 E6:7"}, 14, furthest)
	if n := strings.Count(texts, " attacks "); n < 6 { // in what is told of the moves
		t.Errorf("there were %d fights", n)
	}
}

// furthest is the move that leads nearest to the other side.
func furthest(all []film.Choice) film.Choice {
	return slices.MaxFunc(all, func(a, b film.Choice) int { return a.To - b.To })
}

// hiddenFrom plays a game against each of two set-ups, up to so many plies, and holds that everybody else gets the same in both. It returns
// one of the answers.
func hiddenFrom(t *testing.T, own game.SetUp, others [2]game.SetUp, plies int, choose func([]film.Choice) film.Choice) string {
	g := games.All[0]
	var seen [2][]string
	var after [2]string
	for i, hidden := range others {
		s, server := started(t, nil)
		h, p, err := s.seatPerson(wish{game: g, setUp: own, name: "you"}, referee.Entrant{
			Name: "they", Person: true,
			Seat: func(context.Context, *referee.Game, game.Side, func(referee.Message)) (referee.Seat, error) {
				return &scripted{setUp: hidden, fights: choose != nil}, nil
			},
		})
		if err != nil {
			t.Fatal(err)
		}
		player, watcher := browser(t), browser(t)
		address, _ := url.Parse(server + "/games/" + h.ID)
		player.Jar.SetCookies(address, []*http.Cookie{{Name: cookieOf(h.ID), Value: p.key, Path: address.Path}})
		for range plies / 2 {
			d := turn(t, player, address.String())
			move := d.Play.Legal[0]
			if choose != nil {
				move = choose(d.Play.Legal)
			}
			if code, text := send(t, player, address.String(), url.Values{"move": {move.Move}, "ply": {fmt.Sprint(len(d.Plies))}}); code != 204 {
				t.Fatalf("%d %s", code, text)
			}
		}
		turn(t, player, address.String())
		for _, who := range []*http.Client{player, watcher} {
			for _, more := range fuzzed {
				seen[i] = append(seen[i], more+"\n"+took.ReplaceAllString(answer(t, who, address.String()+more, plies), "…"))
			}
			for _, path := range []string{"/", "/records", "/play"} {
				seen[i] = append(seen[i], path+"\n"+took.ReplaceAllString(answer(t, who, server+path, plies), "…"))
			}
		}
		for _, who := range []*http.Client{{Transport: keyed(p.key)}, watcher, {Transport: keyed("no key")}} {
			for _, path := range asked(t, h.ID) {
				seen[i] = append(seen[i], path+"\n"+took.ReplaceAllString(answer(t, who, server+path, plies), "…"))
			}
		}
		if code, text := send(t, player, address.String(), url.Values{"resign": {"yes"}}); code != 204 {
			t.Fatalf("%d %s", code, text)
		}
		<-h.Done()
		after[i] = answer(t, watcher, address.String()+"?eyes=all&ply=1", plies)
	}
	theSame(t, seen)
	if after[0] == after[1] || !strings.Contains(after[0], "司令") {
		t.Error("the end does not show what was hidden")
	}
	return seen[0][0]
}

// theSame holds that all answers are the same in both games.
func theSame(t *testing.T, seen [2][]string) {
	t.Helper()
	for n := range seen[0] {
		if seen[0][n] != seen[1][n] {
			a, b := seen[0][n], seen[1][n]
			at := 0
			for at < min(len(a), len(b)) && a[at] == b[at] {
				at++
			}
			t.Fatalf("answer %d (%.40q) tells what is hidden: %.80q and %.80q", n, a, a[max(0, at-20):], b[max(0, at-20):])
		}
	}
}

// A person learns nothing of what another person has set up: all that the one, or who watches, gets is the same, byte for byte,
// whatever is hidden on the other side.
func TestHiddenFromTheOtherPerson(t *testing.T) {
	own, other := hiddenSetUps[0], hiddenSetUps[1]
	var seen [2][]string
	for i, hidden := range []game.SetUp{own, other} {
		_, server := started(t, nil)
		host, guest, watcher := browser(t), browser(t), browser(t)
		_, link := post(t, host, server+"/invitations", url.Values{"game": {games.All[0].Name()}, "side": {"1"}, "setup": {string(own)}})
		_, path := post(t, guest, server+link, url.Values{"setup": {string(hidden)}})
		for n := range 6 {
			mover := []*http.Client{host, guest}[n%2]
			d := turn(t, mover, server+path)
			at := []int{0, len(d.Play.Legal) - 1}[n%2]
			if code, text := send(t, mover, server+path, url.Values{"move": {d.Play.Legal[at].Move}, "ply": {fmt.Sprint(n)}}); code != 204 {
				t.Fatalf("%d %s", code, text)
			}
		}
		turn(t, host, server+path)
		for _, who := range []*http.Client{host, watcher} {
			for _, more := range fuzzed {
				seen[i] = append(seen[i], path+more+"\n"+took.ReplaceAllString(answer(t, who, server+path+more, 6), "…"))
			}
			for _, more := range []string{"/", "/records", link, link + "/events"} {
				seen[i] = append(seen[i], more+"\n"+took.ReplaceAllString(answer(t, who, server+more, 6), "…"))
			}
		}
	}
	theSame(t, seen)
}

// answer is all of an answer, of a stream what comes at once.
func answer(t *testing.T, c *http.Client, address string, plies int) string {
	last := fmt.Sprintf(`"n":%d,`, plies)
	t.Helper()
	ctx, stop := context.WithTimeout(t.Context(), 10*time.Second)
	defer stop()
	q, _ := http.NewRequestWithContext(ctx, "GET", address, nil)
	r, err := c.Do(q)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Body.Close()
	r.Header.Del("Date")
	var head bytes.Buffer
	r.Header.Write(&head)
	text := fmt.Sprintf("%d\n%s", r.StatusCode, regexp.MustCompile(`127.0.0.1:\d+`).ReplaceAllString(head.String(), "here"))
	if !strings.Contains(r.Header.Get("Content-Type"), "event-stream") {
		body, _ := io.ReadAll(r.Body)
		return text + string(body)
	}
	if u := q.URL; !strings.Contains(u.Path, "/games/") || strings.Contains(u.Path, "/rematch") { // it tells one thing, or nothing
		time.AfterFunc(time.Second, stop)
	}
	lines := bufio.NewScanner(r.Body)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		text += lines.Text() + "\n"
		if lines.Text() == "data: {}" {
			break
		}
		if strings.Contains(lines.Text(), `"turn":true`) && strings.Contains(text, last) || strings.Contains(lines.Text(), last) && !strings.Contains(text, `"turn"`) {
			break
		}
	}
	return text
}
