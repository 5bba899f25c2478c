package tablebase

import (
	"context"
	"flag"
	"math/rand/v2"
	"testing"
	"time"

	"luzhanqi/game"
	"luzhanqi/game/chess1d"
)

var (
	solvedDir = flag.String("solved", "", "the directory of a solve of nomoves=loss: play whole games and compare them with it")
	games     = flag.Int("games", 100, "how many")
	limit     = flag.Duration("limit", 900*time.Millisecond, "for each move")
)

// Games of the perfect set-up and Choose, against random set-ups that are not beaten in both orders,
// played by the solver with 30,000 positions a move or, every third game, at random. None may end below
// the value that the solved matrix has for its set-ups.
func TestGamesAreWorthTheirSetUps(t *testing.T) {
	if *solvedDir == "" {
		t.Skip("needs -solved DIR, where SolveMatrix has been")
	}
	x, err := SolveMatrix(context.Background(), *solvedDir, false, nil)
	if err != nil {
		t.Fatal(err)
	}
	o, err := FindOpening(false, Either)
	if err != nil {
		t.Fatal(err)
	}
	own := o.Rows[0].SetUp
	r := rand.New(rand.NewPCG(1, 1))
	counts := map[[2]Value]int{}
	slowest := time.Duration(0)
	for n := range *games {
		side, other := game.Side(n%2), r.IntN(chess1d.SetUpCount)
		for x.At(own, other) == Win && x.At(other, own) == Loss {
			other = r.IntN(chess1d.SetUpCount)
		}
		first, second, want := own, other, x.At(own, other)
		if side == game.Second {
			first, second, want = other, own, -x.At(other, own)
		}
		got, slow := playGame(t, chess1d.Deploy(setUps()[first], setUps()[second]), side, n%3 == 0, r)
		counts[[2]Value{want, got}]++
		slowest = max(slowest, slow)
		if got < want {
			t.Errorf("%q against %q as player %v: a %v, though it was a %v", setUps()[own], setUps()[other], side, got, want)
		}
	}
	t.Logf("by value and result: %v; the slowest move took %v", counts, slowest)
}

// The matrix against the search on random pairs of set-ups, which share only the rules of the game.
func TestSearchAgreesWithTheMatrix(t *testing.T) {
	if *solvedDir == "" {
		t.Skip("needs -solved DIR, where SolveMatrix has been")
	}
	x, err := SolveMatrix(context.Background(), *solvedDir, false, nil)
	if err != nil {
		t.Fatal(err)
	}
	r := rand.New(rand.NewPCG(2, 1))
	counts, open := map[Value]int{}, 0
	for range 10 * *games {
		mover, other := r.IntN(chess1d.SetUpCount), r.IntN(chess1d.SetUpCount)
		got, err := new(Solver).Solve(chess1d.Deploy(setUps()[mover], setUps()[other]), game.First, false, Budget{Nodes: 200_000})
		switch want := x.At(mover, other); {
		case err != nil && want == Loss: // nothing can move
		case !got.Exact:
			open++
		case got.Value != want:
			t.Errorf("%q against %q: the search finds a %v, the matrix has a %v", setUps()[mover], setUps()[other], got.Value, want)
		default:
			counts[want]++
		}
	}
	t.Logf("agreed: %v; %d were too hard for the search", counts, open)
}

func playGame(t *testing.T, b chess1d.Board, side game.Side, atRandom bool, r *rand.Rand) (result Value, slowest time.Duration) {
	t.Helper()
	p := game.Position(chess1d.NewPosition(b, game.First, false))
	maxPlies := chess1d.Game{}.Limits().MaxPlies
	for p.Ply() < maxPlies {
		if o, over := p.Outcome(); over {
			if !o.Draw && o.Winner == side {
				return Win, slowest
			} else if !o.Draw {
				return Loss, slowest
			}
			return Draw, slowest
		}
		board, mover := p.(*chess1d.Position).Board(), p.Mover()
		move := game.Move{}
		switch {
		case mover == side: // a new solver, as in a program that is started anew
			start := time.Now()
			res, err := new(Solver).Choose(board, mover, false, Budget{Deadline: start.Add(*limit)})
			if err != nil {
				t.Fatal(err)
			}
			move, slowest = res.Move, max(slowest, time.Since(start))
		case atRandom:
			moves := p.Moves(nil)
			move = moves[r.IntN(len(moves))]
		default:
			res, err := new(Solver).Solve(board, mover, false, Budget{Nodes: 30_000})
			if err != nil {
				t.Fatal(err)
			}
			move = res.Move
		}
		p = p.Play(move)
	}
	return Draw, slowest
}
