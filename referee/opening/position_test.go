package opening

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"luzhanqi/game"
	"luzhanqi/game/games"
)

// A position of a game whose sides see all is written and read without loss: the same may be played in it, by the same side, and
// the game goes on as it would have, but for repetition.
func TestPositions(t *testing.T) {
	written := 0
	for _, g := range games.All {
		rules, err := game.ParseRules("", g.Options())
		if err != nil {
			t.Fatal(err)
		}
		r := rand.New(rand.NewPCG(1, 2))
		for range 20 {
			var setUps [2]game.SetUp
			if g.HasSetUp() {
				setUps = [2]game.SetUp{g.RandomSetUp(r), g.RandomSetUp(r)}
			}
			pos, err := g.New(rules, setUps)
			if err != nil {
				t.Fatal(err)
			}
			for range 60 {
				legal := pos.Moves(nil)
				if len(legal) == 0 {
					break
				}
				at, err := At(g, pos)
				if _, placed := g.(game.Positional); !placed {
					if err == nil || !strings.Contains(err.Error(), "what its sides know") {
						t.Fatalf("%s: %v", g.Name(), err)
					}
					break
				}
				if err != nil {
					t.Fatal(err)
				}
				list, err := Read(bytes.NewReader(fmt.Appendf(nil, "{\"position\": %s}", at.Position)), g, rules, over)
				if err != nil || len(list) != 1 || list[0].AsksSetUps(g) {
					t.Fatalf("%s: %s: %v", g.Name(), at.Position, err)
				}
				read, err := list[0].Start(g, rules, [2]game.SetUp{})
				if err != nil || read.Mover() != pos.Mover() || read.Ply() != 0 || !slices.Equal(read.Moves(nil), legal) {
					t.Fatalf("%s: %s: read with %v to move, %v: %v", g.Name(), at.Position, read.Mover(), read.Moves(nil), err)
				}
				m := legal[r.IntN(len(legal))]
				pos = pos.Play(m)
				next, err := At(g, read.Play(m))
				if after, _ := At(g, pos); err != nil || !bytes.Equal(next.Position, after.Position) {
					t.Fatalf("%s: after %s %s is %s, not %s: %v", g.Name(), at.Position, g.FormatMove(m), next.Position, after.Position, err)
				}
				written++
			}
		}
	}
	if written < 1000 {
		t.Errorf("only %d positions were written", written)
	}
}

// What is no position with which a game can begin is refused with the reason.
func TestPositionsThatAreNone(t *testing.T) {
	for _, x := range []struct{ game, line, want string }{
		{"jungle", `{"position": {"units": "E06 r02"}}`, `"to_move" is missing`},
		{"jungle", `{"position": {"units": "E33", "to_move": "blue"}}`, "the game is over in its position"},
		{"jungle", `{"position": "E06 r02"}`, "allowed is an object"},
		{"jungle", `{"position": {"units": "E06 r02", "to_move": "red"}, "setups": ["", ""]}`, "no set-ups"},
		{"chess1d", `{"position": {"board": "qf s  tT  CH  K"}, "setups": ["qf st ", "k  hct"]}`, "leave one of the two out"},
		{"quagmire", `{"position": {"board": "......../......../......../......../......../......../......../OOO.....", "to_move": "O", "last_O": "c4"}}`, "no O stands on c4"},
	} {
		g, err := games.Find(x.game)
		if err != nil {
			t.Fatal(err)
		}
		rules, err := game.ParseRules("", g.Options())
		if err != nil {
			t.Fatal(err)
		}
		if _, err := Read(strings.NewReader(x.line), g, rules, over); err == nil || !strings.Contains(err.Error(), x.want) {
			t.Errorf("%s: found %v, want %s", x.line, err, x.want)
		}
	}
}
