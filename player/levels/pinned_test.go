package levels

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"luzhanqi/game"
	"luzhanqi/game/games"
	"luzhanqi/player"
)

// Levels are opponents by which students are graded: what they play must not change by accident, nor with
// the limit. Who changes it on purpose measures the levels again and writes the files anew with
//
//	go test ./player/levels -run TestLevelsPlayAsEver -update
var update = flag.Bool("update", false, "write the moves that the levels play into testdata")

func TestLevelsPlayAsEver(t *testing.T) {
	if runtime.GOARCH != "amd64" {
		t.Skip("other processors may round differently")
	}
	for _, g := range games.All {
		for _, l := range all(g) {
			t.Run(g.Name()+"-"+l.Name, func(t *testing.T) {
				t.Parallel()
				file := filepath.Join("testdata", g.Name()+"-"+l.Name+".txt")
				lines := playedBy(t, g, l)
				if *update {
					if err := os.WriteFile(file, []byte(strings.Join(lines, "\n")+"\n"), 0o666); err != nil {
						t.Fatal(err)
					}
				}
				text, err := os.ReadFile(file)
				if err != nil {
					t.Fatal(err)
				}
				pinned := strings.Split(strings.TrimSuffix(string(text), "\n"), "\n")
				for i := range max(len(lines), len(pinned)) {
					if got, want := at(lines, i), at(pinned, i); got != want {
						t.Fatalf("%s, line %d: %q, pinned is %q; before that\n%s", file, i+1, got, want, strings.Join(lines[:i], "\n"))
					}
				}
			})
		}
	}
}

func at(lines []string, i int) string {
	if i < len(lines) {
		return lines[i]
	}
	return "the end"
}

// playedBy is one game of a level against itself for each reading of the rules that it knows: the
// set-ups, the moves of so many plies that it takes no second, and how it ended. No time is left when a move is asked for, which
// must not matter to a level that counts positions.
func playedBy(t *testing.T, g game.Game, l player.Level) (lines []string) {
	t.Helper()
	plies := 60
	switch {
	case l.Name == "depth6":
		plies = 4
	case l.Hidden:
		plies = 12
	}
	readings := []string{""}
	if g.Name() == "chess1d" {
		readings = []string{"nomoves=loss", "nomoves=draw"}
	}
	for n, text := range readings {
		rules, err := game.ParseRules(text, g.Options())
		if err != nil {
			t.Fatal(err)
		}
		o := player.Options{Rules: rules}
		if l.Timed {
			o.Nodes = 3_000
		}
		var players [2]player.Player
		var setUps [2]game.SetUp
		var random [2]*rand.Rand
		for side := range players {
			players[side], random[side] = l.New(g, o), rand.New(rand.NewPCG(uint64(side), uint64(9+n)))
			if g.HasSetUp() {
				setUps[side] = players[side].SetUp(random[side])
				lines = append(lines, fmt.Sprintf("%s player %d sets up %q", rules, side+1, setUps[side]))
			}
		}
		p, err := g.New(rules, setUps)
		if err != nil {
			t.Fatal(err)
		}
		ending := "goes on"
		for ply := range plies {
			if o, over := p.Outcome(); over {
				ending = o.Reason
				break
			}
			side := p.Mover()
			m := players[side].Choose(p.View(side), time.Now(), random[side])
			if err := p.Check(m); err != nil {
				t.Fatalf("ply %d: %v", ply, err)
			}
			lines = append(lines, fmt.Sprintf("%d. %s", ply+1, g.FormatMove(m)))
			p = p.Play(m)
		}
		lines = append(lines, ending)
	}
	return lines
}
