package check

import (
	"bytes"
	"math/rand/v2"
	"strings"
	"testing"

	"luzhanqi/game"
	"luzhanqi/game/games"
)

// spokenIn plays a random game and returns, for each question to a side, all that was said before it, write
// by write.
func spokenIn(t *testing.T, g game.Game, p game.Protocol, side game.Side) (all [][]string) {
	t.Helper()
	r := rand.New(rand.NewPCG(1, 2))
	var setUps [2]game.SetUp
	if g.HasSetUp() {
		setUps = [2]game.SetUp{g.RandomSetUp(r), g.RandomSetUp(r)}
	}
	rules, err := game.ParseRules("", g.Options())
	if err != nil {
		t.Fatal(err)
	}
	pos, err := g.New(rules, setUps)
	if err != nil {
		t.Fatal(err)
	}
	end := p.RefereeEnd(side, g.Limits())
	var writes []string
	tell := func(e game.Event, v game.View) {
		for _, m := range end.Tell(e, v) {
			writes = append(writes, string(m))
		}
	}
	ask := func() { all, writes = append(all, writes), nil }
	tell(game.Event{Kind: game.EventBegin}, nil)
	if g.HasSetUp() {
		ask()
	}
	for range 20 {
		if _, over := pos.Outcome(); over {
			break
		}
		tell(game.Event{Kind: game.EventTurn, Side: pos.Mover()}, pos.View(side))
		if pos.Mover() == side {
			ask()
		}
		moves := pos.Moves(nil)
		m, mover := moves[r.IntN(len(moves))], pos.Mover()
		pos = pos.Play(m)
		tell(game.Event{Kind: game.EventMoved, Side: mover, Move: m}, pos.View(side))
	}
	tell(game.Event{Kind: game.EventEnd, Winner: game.Second}, pos.View(side))
	ask()
	return all
}

// TestFramingSaysTheSame guards that reframing changes how messages are written, never what a program is
// told before it has to answer.
func TestFramingSaysTheSame(t *testing.T) {
	silenced := 0 // conversations that have words for the end
	for _, g := range games.All {
		for _, p := range g.Protocols() {
			for side := range game.Side(2) {
				plain := spokenIn(t, g, p, side)
				for _, how := range []framing{whole, joined, byteByByte, crlf, blanked} {
					found := spokenIn(t, g, reframedProtocol{Protocol: p, framing: how, asksAtBegin: g.HasSetUp()}, side)
					if len(found) != len(plain) {
						t.Fatalf("%s/%s: %d questions, want %d", g.Name(), p.Name(), len(found), len(plain))
					}
					for i := range plain {
						writes, text, want := found[i], joinedText(found[i]), joinedText(plain[i])
						wrong := false
						switch how {
						case whole:
							wrong = len(writes) != len(plain[i]) || text != want
						case joined:
							wrong = len(writes) > 1 || text != want
						case byteByByte:
							wrong = len(writes) != len(want) || text != want
						case crlf:
							wrong = string(bytes.ReplaceAll([]byte(text), []byte("\r"), nil)) != want || bytes.Count([]byte(text), []byte("\r\n")) != bytes.Count([]byte(want), []byte("\n"))
						case blanked:
							wrong = len(text) != len(want)+len(writes)
						}
						if wrong {
							t.Errorf("%s/%s player %v, framing %d, question %d: %q, plainly %q", g.Name(), p.Name(), side, how, i+1, writes, plain[i])
						}
					}
				}
				last := len(plain) - 1
				muted, full := joinedText(spokenIn(t, g, reframedProtocol{Protocol: p, mute: true}, side)[last]), joinedText(plain[last])
				if !strings.HasPrefix(full, muted) {
					t.Errorf("%s/%s: without its end %q, with it %q", g.Name(), p.Name(), muted, full)
				}
				if muted != full {
					silenced++
				}
			}
		}
	}
	if silenced == 0 {
		t.Error("no end was left out")
	}
}

func joinedText(writes []string) (text string) {
	for _, w := range writes {
		text += w
	}
	return text
}

// TestFramingHidesNothing guards that what a match goes by, such as the side in whose frame a program
// names squares, is the same for a reframed protocol.
func TestFramingHidesNothing(t *testing.T) {
	for _, g := range games.All {
		for _, p := range g.Protocols() {
			reframed := reframedProtocol{Protocol: p, framing: joined}
			for _, side := range []game.Side{game.First, game.Second} {
				if reframed.Frame(side) != p.Frame(side) || reframed.Kind() != p.Kind() || reframed.Terminal() != p.Terminal() {
					t.Errorf("%s, %s, player %v: kind, frame or terminal differs", g.Name(), p.Name(), side)
				}
			}
		}
	}
}
