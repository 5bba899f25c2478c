package tablebase

import (
	"bufio"
	"context"
	_ "embed"
	"fmt"
	"io"
	"math/big"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"

	"luzhanqi/game/chess1d"
)

// Order says what the sides know, when they set up, of who will begin.
type Order string

// The orders.
const (
	Either Order = "either" // nothing: both orders count the same
	First  Order = "first"  // the row player begins
)

// Opening is the solved game of set-ups for one reading of the rules and one order.
type Opening struct {
	NoMovesDraws bool
	Order        Order
	Equilibrium
}

// Openings solves the game of set-ups for both orders, and refines what it finds.
func (x *Matrix) Openings(ctx context.Context) (all []Opening, err error) {
	for _, o := range []struct {
		order  Order
		payoff Payoff
	}{{Either, x.Averaged()}, {First, x.Beginning()}} {
		e, err := o.payoff.Solve(ctx)
		if err != nil {
			return nil, fmt.Errorf("solving the game of set-ups, order %s: %w", o.order, err)
		}
		o.payoff.Refine(e)
		all = append(all, Opening{NoMovesDraws: x.draws, Order: o.order, Equilibrium: *e})
	}
	return all, nil
}

// openingsText is the solved game of set-ups; WriteOpenings wrote it.
//
//go:embed openings.txt
var openingsText string

var openings = sync.OnceValues(func() ([]Opening, error) { return ReadOpenings(strings.NewReader(openingsText)) })

// FindOpening returns the committed solution for a reading of the rules and an order.
func FindOpening(noMovesDraws bool, order Order) (Opening, error) {
	all, err := openings()
	for _, o := range all {
		if o.NoMovesDraws == noMovesDraws && o.Order == order {
			return o, nil
		}
	}
	return Opening{}, fmt.Errorf("openings.txt has none for nomoves=%s, order %s (%v)", nomoves(noMovesDraws), order, err)
}

// Draw chooses a set-up with the probabilities of a mix.
func (m Mix) Draw(r *rand.Rand) chess1d.SetUp {
	rest := r.Float64()
	for _, c := range m {
		w, _ := c.Weight.Float64()
		if rest -= w; rest < 0 {
			return setUps()[c.SetUp]
		}
	}
	return setUps()[m[len(m)-1].SetUp]
}

// WriteOpenings writes solutions as text: for each a line with its value, and a line for each set-up of
// the two mixes with its weight. Set-ups have dots for blanks.
func WriteOpenings(w io.Writer, all []Opening) error {
	out := bufio.NewWriter(w)
	fmt.Fprintln(out, "# 1-D chess, solved by luzhanqi solve chess1d --openings FILE: the value of the game of set-ups to the row player")
	fmt.Fprintln(out, "# (win 1, draw 0, loss -1) and optimal mixes of both sides, by what having no legal move means and by who begins.")
	for _, o := range all {
		key := nomoves(o.NoMovesDraws) + " " + string(o.Order)
		fmt.Fprintf(out, "%s value %s\n", key, o.Value.RatString())
		for _, side := range []struct {
			name string
			mix  Mix
		}{{"row", o.Rows}, {"column", o.Columns}} {
			for _, c := range side.mix {
				fmt.Fprintf(out, "%s %s %s %s\n", key, side.name, dotted(setUps()[c.SetUp].String()), c.Weight.RatString())
			}
		}
	}
	return out.Flush()
}

func dotted(text string) string { return strings.ReplaceAll(text, " ", ".") }

// ReadOpenings reads what WriteOpenings writes.
func ReadOpenings(r io.Reader) (all []Opening, err error) {
	lines := bufio.NewScanner(r)
	for n := 1; lines.Scan(); n++ {
		if strings.HasPrefix(lines.Text(), "#") {
			continue
		}
		if err := readOpening(&all, strings.Fields(lines.Text())); err != nil {
			return nil, fmt.Errorf("openings, line %d: %w", n, err)
		}
	}
	return all, lines.Err()
}

func readOpening(all *[]Opening, words []string) error {
	if len(words) < 4 || !slices.Contains([]string{"loss", "draw"}, words[0]) {
		return fmt.Errorf("found %q, allowed are lines such as: loss either value 0", words)
	}
	number, ok := new(big.Rat).SetString(words[len(words)-1])
	if !ok {
		return fmt.Errorf("%q is no number", words[len(words)-1])
	}
	if words[2] == "value" {
		o := Opening{NoMovesDraws: words[0] == "draw", Order: Order(words[1])}
		o.Value = number
		*all = append(*all, o)
		return nil
	}
	s, err := chess1d.ParseSetUp(strings.ReplaceAll(words[3], ".", " "))
	if err != nil {
		return err
	}
	if len(*all) == 0 {
		return fmt.Errorf("a %s before any value", words[2])
	}
	o := &(*all)[len(*all)-1]
	switch words[2] {
	case "row":
		o.Rows = append(o.Rows, Choice{SetUpNumber(s), number})
	case "column":
		o.Columns = append(o.Columns, Choice{SetUpNumber(s), number})
	default:
		return fmt.Errorf("%q: allowed are value, row and column", words[2])
	}
	return nil
}
