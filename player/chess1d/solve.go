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
	"luzhanqi/player/chess1d/tablebase"
)

// Readings are the rules for which 1-D chess is solved when none are named.
var Readings = []string{"nomoves=loss", "nomoves=draw"}

// Needs is what Solve takes: the memory, which is a bound, and the time, as measured.
const Needs = "1 GB of memory at most, 35 MB of disk and 6 minutes of one core for each reading of the rules, 3 minutes for a book"

// Solution is 1-D chess solved. It marshals to JSON.
type Solution struct {
	Game     string    `json:"game"`
	SetUps   int       `json:"setups"` // of a side
	Readings []Reading `json:"readings"`
}

// Reading is one reading of the rules, solved.
type Reading struct {
	Rules    string           `json:"rules"`
	Pairs    tablebase.Counts `json:"pairs"` // of set-ups, for the side to move
	Openings []Opening        `json:"openings"`

	draws bool
}

// Opening is the solved game of unseen set-ups.
type Opening struct {
	Order   tablebase.Order `json:"order"` // "either": nobody knows who begins; "first": the side in question
	Value   *big.Rat        `json:"value"` // to that side: win 1, draw 0, loss −1
	Mix     tablebase.Mix   `json:"mix"`
	Beats   int             `json:"beats"`         // so many set-ups score less than the value allows against the mix
	Against tablebase.Mix   `json:"against"`       // the opponent's mix
	Beaten  int             `json:"against_beats"` // the same for it
}

// Solve solves the game under each of the rules. It keeps what it has finished in a directory, which it makes,
// and goes on from there: a solve that ctx ends is resumed by another. It touches no other files.
func Solve(ctx context.Context, dir string, rules []game.Rules, progress tablebase.Progress) (*Solution, error) {
	s := &Solution{Game: chess1d.Game{}.Name(), SetUps: chess1d.SetUpCount}
	for _, r := range rules {
		reading := Reading{Rules: r.String(), draws: r["nomoves"] == "draw"}
		x, err := tablebase.SolveMatrix(ctx, dir, reading.draws, progress)
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
			opening := Opening{Order: o.Order, Value: o.Value, Mix: o.Rows, Against: o.Columns}
			opening.Beats, opening.Beaten = payoff.Beaten(&o.Equilibrium)
			reading.Openings = append(reading.Openings, opening)
		}
		s.Readings = append(s.Readings, reading)
	}
	return s, nil
}

// WriteOpenings writes the values and how to begin, in the form in which they are committed.
func (s *Solution) WriteOpenings(w io.Writer) error {
	var all []tablebase.Opening
	for _, r := range s.Readings {
		for _, o := range r.Openings {
			all = append(all, tablebase.Opening{
				NoMovesDraws: r.draws, Order: o.Order,
				Equilibrium: tablebase.Equilibrium{Value: o.Value, Rows: o.Mix, Columns: o.Against},
			})
		}
	}
	return tablebase.WriteOpenings(w, all)
}

// bookLonger is how many plies a win must take to be in the book: a search finds the others in time.
const bookLonger = 22

// WriteBook works out the moves that a player looks up, those for the set-up that is perfect when nobody knows
// who begins, and writes them in the form in which they are committed. The solution must be of one reading.
func (s *Solution) WriteBook(ctx context.Context, w io.Writer, progress tablebase.Progress) error {
	if len(s.Readings) != 1 {
		return fmt.Errorf("a book is for one reading of the rules, found %d", len(s.Readings))
	}
	r := s.Readings[0]
	for _, o := range r.Openings {
		if o.Order != tablebase.Either {
			continue
		}
		if len(o.Mix) != 1 {
			return fmt.Errorf("a book is for one set-up, and the mix has %d", len(o.Mix))
		}
		moves, err := tablebase.HardMoves(ctx, tablebase.NumberedSetUp(o.Mix[0].SetUp), r.draws, bookLonger, progress)
		if err != nil {
			return err
		}
		return tablebase.WriteMoves(w, moves)
	}
	return errors.New("a book is for when nobody knows who begins, which was not solved")
}

// String is the solution for people, some lines.
func (s *Solution) String() string {
	var text strings.Builder
	for _, r := range s.Readings {
		fmt.Fprintf(&text, "%s: of %s pairs of set-ups the side to move wins %s, draws %s and loses %s.\n",
			r.Rules, grouped(s.SetUps*s.SetUps), grouped(r.Pairs.Won), grouped(r.Pairs.Drawn), grouped(r.Pairs.Lost))
		for _, o := range r.Openings {
			who := "If nobody knows who begins"
			if o.Order == tablebase.First {
				who = "To a side that is known to begin"
			}
			fmt.Fprintf(&text, "  %s, the game is worth %s (win 1, draw 0, loss -1).\n", who, rounded(o.Value))
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
func mixed(mix tablebase.Mix) string {
	var all []string
	for _, c := range mix {
		text := strings.ReplaceAll(tablebase.NumberedSetUp(c.SetUp).String(), " ", ".")
		if !c.Weight.IsInt() {
			text += " " + c.Weight.RatString()
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
