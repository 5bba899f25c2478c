package chess1d

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math/big"
	"strings"

	"luzhanqi/game"
	"luzhanqi/game/chess1d"
	"luzhanqi/player"
	"luzhanqi/player/chess1d/tablebase"
)

// Solvable is 1-D chess as a game that can be solved.
var Solvable = player.Solvable{
	Game: "chess1d", Readings: []string{"nomoves=loss", "nomoves=draw"},
	Needs: "1 GB of memory at most, 35 MB of disk and 6 minutes of one core for each reading of the rules, 3 minutes for a book",
	Solve: solve,
}

// solution is 1-D chess solved.
type solution struct {
	Game     string    `json:"game"`
	SetUps   int       `json:"setups"` // of a side
	Readings []reading `json:"readings"`
}

// reading is one reading of the rules, solved.
type reading struct {
	Rules    string           `json:"rules"`
	Pairs    tablebase.Counts `json:"pairs"` // of set-ups, for the side to move
	Openings []opening        `json:"openings"`

	draws bool
}

// opening is the solved game of unseen set-ups.
type opening struct {
	Order   tablebase.Order `json:"order"` // "either": nobody knows who begins; "first": the side in question
	Value   string          `json:"value"` // to that side: win 1, draw 0, loss −1
	Mix     []choice        `json:"mix"`
	Beats   int             `json:"beats"`         // so many set-ups score less than the value allows against the mix
	Against []choice        `json:"against"`       // the opponent's mix
	Beaten  int             `json:"against_beats"` // the same for it

	solved tablebase.Opening
}

type choice struct {
	SetUp  string `json:"setup"`
	Weight string `json:"weight"`
}

func solve(ctx context.Context, dir string, rules []game.Rules, progress player.Progress) (player.Solution, error) {
	s := &solution{Game: chess1d.Game{}.Name(), SetUps: chess1d.SetUpCount}
	for _, r := range rules {
		reading := reading{Rules: r.String(), draws: r["nomoves"] == "draw"}
		x, err := tablebase.SolveMatrix(ctx, dir, reading.draws, stage(progress, reading.Rules+": values"))
		if err != nil {
			return nil, err
		}
		reading.Pairs = x.Counts()
		openings, err := x.Openings(ctx)
		if err != nil {
			return nil, err
		}
		for _, o := range openings {
			payoff := x.Averaged()
			if o.Order == tablebase.First {
				payoff = x.Beginning()
			}
			if err := payoff.Check(&o.Equilibrium); err != nil {
				return nil, fmt.Errorf("the solution for %s, order %s, fails its check: %w", reading.Rules, o.Order, err)
			}
			opening := opening{
				Order: o.Order, Value: o.Value.RatString(), Mix: choices(o.Rows), Against: choices(o.Columns), solved: o,
			}
			opening.Beats, opening.Beaten = payoff.Beaten(&o.Equilibrium)
			reading.Openings = append(reading.Openings, opening)
		}
		s.Readings = append(s.Readings, reading)
	}
	return s, nil
}

// stage is progress of one stage; nil when nobody asks.
func stage(p player.Progress, name string) tablebase.Progress {
	if p == nil {
		return nil
	}
	return func(done, total int) { p(name, done, total) }
}

func choices(m tablebase.Mix) (all []choice) {
	for _, c := range m {
		all = append(all, choice{tablebase.NumberedSetUp(c.SetUp).String(), c.Weight.RatString()})
	}
	return all
}

// WriteOpenings implements player.Solution.
func (s *solution) WriteOpenings(w io.Writer) error {
	var all []tablebase.Opening
	for _, r := range s.Readings {
		for _, o := range r.Openings {
			all = append(all, o.solved)
		}
	}
	return tablebase.WriteOpenings(w, all)
}

// bookLonger is how many plies a win must take to be in the book: a search finds the others in time.
const bookLonger = 22

// WriteBook implements player.Solution: the moves for the set-up that is perfect when nobody knows who begins.
func (s *solution) WriteBook(ctx context.Context, w io.Writer, progress player.Progress) error {
	if len(s.Readings) != 1 {
		return fmt.Errorf("a book is for one reading of the rules, found %d", len(s.Readings))
	}
	r := s.Readings[0]
	for _, o := range r.Openings {
		if o.Order != tablebase.Either {
			continue
		}
		if len(o.solved.Rows) != 1 {
			return fmt.Errorf("a book is for one set-up, and the mix has %d", len(o.solved.Rows))
		}
		own := tablebase.NumberedSetUp(o.solved.Rows[0].SetUp)
		moves, err := tablebase.HardMoves(ctx, own, r.draws, bookLonger, stage(progress, r.Rules+": book"))
		if err != nil {
			return err
		}
		return tablebase.WriteMoves(w, moves)
	}
	return errors.New("a book is for when nobody knows who begins, which was not solved")
}

// String implements player.Solution.
func (s *solution) String() string {
	var text strings.Builder
	for _, r := range s.Readings {
		fmt.Fprintf(&text, "%s: of %s pairs of set-ups the side to move wins %s, draws %s and loses %s.\n",
			r.Rules, grouped(s.SetUps*s.SetUps), grouped(r.Pairs.Won), grouped(r.Pairs.Drawn), grouped(r.Pairs.Lost))
		for _, o := range r.Openings {
			who := "If nobody knows who begins"
			if o.Order == tablebase.First {
				who = "To a side that is known to begin"
			}
			fmt.Fprintf(&text, "  %s, the game is worth %s (win 1, draw 0, loss -1).\n", who, rounded(o.solved.Value))
			fmt.Fprintf(&text, "    set-ups %s: more than that against %s of %s\n", mixed(o.Mix), grouped(o.Beats), grouped(s.SetUps))
			fmt.Fprintf(&text, "    against %s: less than that for %s of %s\n", mixed(o.Against), grouped(o.Beaten), grouped(s.SetUps))
		}
	}
	return text.String()
}

func rounded(v *big.Rat) string {
	if v.IsInt() {
		return v.RatString()
	}
	return v.RatString() + " = " + v.FloatString(3)
}

// mixed lists set-ups with their weights; a dot is a blank.
func mixed(mix []choice) string {
	var all []string
	for _, c := range mix {
		text := strings.ReplaceAll(c.SetUp, " ", ".")
		if c.Weight != "1" {
			text += " " + c.Weight
		}
		all = append(all, text)
	}
	return strings.Join(all, ", ")
}

// grouped writes a number with commas between thousands.
func grouped(n int) string {
	text := fmt.Sprint(n)
	for at := len(text) - 3; at > 0; at -= 3 {
		text = text[:at] + "," + text[at:]
	}
	return text
}
