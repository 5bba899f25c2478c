package main

import (
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"text/tabwriter"
	"time"

	"gonum.org/v1/gonum/mat"

	rules "luzhanqi/game/luzhanqi"
	"luzhanqi/player"
	"luzhanqi/player/luzhanqi"
)

// varyCommand measures several changes to strong at once: every pair of games is played with about half of them, drawn by chance, and the
// next one with the others (a factorial design). So each game tells something of every change, where a match with each alone tells of one.
type varyCommand struct {
	Changes []string `arg:"" help:"Changes to strong, each the name of a variant (plies9, nostorms) or several joined by + that go together."`
	Against []string `required:"" placeholder:"NAME" help:"Opponents, each a level, a variant or the file of a style (.json), a search (.search) or a book of set-ups (.txt)."`

	Nodes   int           `default:"6000" help:"Positions a move of those that would use the time; 0: --time counts (default ${default})."`
	Time    time.Duration `default:"100ms" help:"Time for a move, with --nodes 0 (default ${default})."`
	Pairs   int           `default:"100" help:"Pairs of games against each opponent; both games of a pair have the same set-ups. 0: print what the file has (default ${default})."`
	Results string        `type:"path" placeholder:"FILE" help:"File that every pair is added to, and from which an interrupted run goes on, as that of panel. What other seeds have added counts, too."`
	Seed    uint64        `default:"1" help:"Seed of every random choice (default ${default})."`
	For     time.Duration `placeholder:"TIME" help:"Start no pair after that time; what is missing is played by the next run with the same --results."`
}

// Run implements the command.
func (c *varyCommand) Run(out io.Writer) error {
	by := map[string]string{} // which change has changed a number of strong
	for _, name := range c.Changes {
		s, parts, ok := changed(name)
		if !ok || len(parts) == 0 {
			return fmt.Errorf("change %q: allowed are %s, or several joined by +", name, changesAllowed())
		}
		fields := differing(reflect.ValueOf(luzhanqi.Strong), reflect.ValueOf(s), "")
		if slices.Contains(parts, "x4") || slices.Contains(parts, "x16") {
			fields = append(fields, "the positions")
		}
		if len(fields) == 0 {
			return fmt.Errorf("change %q changes nothing of strong as it is", name)
		}
		for _, field := range fields {
			if other, twice := by[field]; twice {
				return fmt.Errorf("changes %q and %q both change %s: each must change something else", other, name, field)
			}
			by[field] = name
		}
	}
	for _, name := range c.Against {
		if _, err := find(rules.Game{}, name, player.Options{}); err != nil {
			return err
		}
	}
	f, err := openPanel(c.Results)
	if err != nil {
		return err
	}
	defer f.close()
	panel := panelCommand{Nodes: c.Nodes, Time: c.Time, Seed: c.Seed, Quiet: true}
	inTime := within(c.For)
	for pair := range c.Pairs {
		for i, m := range c.Against {
			if !inTime() {
				break
			}
			if err := panel.playPair(out, f, [2]string{c.drawn(pair, i), m}, pair); err != nil {
				return err
			}
		}
	}
	return c.print(out, f)
}

// differing are the fields of two styles that are not the same, those of a struct in them by their own names.
func differing(a, b reflect.Value, name string) []string {
	var same bool
	switch a.Kind() {
	case reflect.Struct:
		var all []string
		for i := range a.NumField() {
			all = append(all, differing(a.Field(i), b.Field(i), a.Type().Field(i).Name)...)
		}
		return all
	case reflect.Interface:
		if !a.IsNil() && !b.IsNil() && a.Elem().Type() == b.Elem().Type() {
			return differing(a.Elem(), b.Elem(), name)
		}
		same = a.IsNil() && b.IsNil()
	case reflect.Func:
		same = a.Pointer() == b.Pointer()
	default:
		same = reflect.DeepEqual(a.Interface(), b.Interface())
	}
	if same {
		return nil
	}
	return []string{name}
}

// drawn is strong with the changes that are drawn for a pair against an opponent: in every second one, those that were not drawn before.
func (c *varyCommand) drawn(pair, opponent int) string {
	r := rand.New(rand.NewPCG(c.Seed, uint64(pair/2)<<8|uint64(opponent)))
	var name []string
	for _, change := range c.Changes {
		if (r.IntN(2) == 0) == (pair%2 == 0) {
			name = append(name, change)
		}
	}
	if len(name) == 0 {
		return "strong"
	}
	return strings.Join(name, "+")
}

// varied is what one pair says: the mean of its points, and which changes it was played with, by their numbers.
type varied struct {
	against string
	with    []bool
	points  float64
}

// read takes from a file the pairs with these changes and this budget. Of a name in which other changes are left the pair is another player's.
func (c *varyCommand) read(f *panelFile) (all []varied) {
	panel := panelCommand{Nodes: c.Nodes, Time: c.Time}
	budget := strings.TrimPrefix(panel.named("strong"), "strong")
	for _, p := range f.pairs {
		name, ok := strings.CutSuffix(p.Players[0], budget)
		i := slices.IndexFunc(c.Against, func(m string) bool { return panel.named(m) == p.Players[1] })
		if !ok || i < 0 {
			continue
		}
		v := varied{against: c.Against[i], with: make([]bool, len(c.Changes)), points: (p.Games[0].Points + p.Games[1].Points) / 2}
		left := "+" + name + "+"
		for k, change := range c.Changes {
			before, after, found := strings.Cut(left, "+"+change+"+")
			if v.with[k] = found; found {
				left = before + "+" + after
			}
		}
		if left == "+" || name == "strong" {
			all = append(all, v)
		}
	}
	return all
}

// effect is by how many points a game a change does better than its absence, and the standard error of that.
type effect struct{ value, deviation float64 }

// effects fits by least squares what each change is worth, with a mean for each opponent; nil if the pairs do not tell the changes apart.
func effects(all []varied) []effect {
	if len(all) == 0 {
		return nil
	}
	sum, n := map[string][]float64{}, map[string]float64{}
	row := func(v varied) []float64 { // the last one is what came
		r := make([]float64, len(v.with)+1)
		for i, with := range v.with {
			if with {
				r[i] = 1
			}
		}
		r[len(v.with)] = v.points
		return r
	}
	for _, v := range all {
		r := row(v)
		if sum[v.against] == nil {
			sum[v.against] = make([]float64, len(r))
		}
		for i, x := range r {
			sum[v.against][i] += x
		}
		n[v.against]++
	}
	k := len(all[0].with)
	free := len(all) - len(n) - k
	if free < 1 {
		return nil
	}
	x, y := mat.NewDense(len(all), k, nil), mat.NewVecDense(len(all), nil)
	for i, v := range all {
		r := row(v)
		for j := range r {
			r[j] -= sum[v.against][j] / n[v.against]
		}
		x.SetRow(i, r[:k])
		y.SetVec(i, r[k])
	}
	var square, inverse mat.Dense
	square.Mul(x.T(), x)
	if inverse.Inverse(&square) != nil {
		return nil
	}
	var both, worth, rest mat.VecDense
	both.MulVec(x.T(), y)
	worth.MulVec(&inverse, &both)
	rest.MulVec(x, &worth)
	rest.SubVec(y, &rest)
	variance := mat.Dot(&rest, &rest) / float64(free)
	found := make([]effect, k)
	for i := range found {
		found[i] = effect{value: worth.AtVec(i), deviation: math.Sqrt(variance * inverse.At(i, i))}
	}
	return found
}

func (c *varyCommand) print(out io.Writer, f *panelFile) error {
	all := c.read(f)
	w := tabwriter.NewWriter(out, 0, 8, 2, ' ', 0)
	columns := [][]varied{all}
	for _, m := range c.Against {
		if len(c.Against) > 1 {
			columns = append(columns, slices.DeleteFunc(slices.Clone(all), func(v varied) bool { return v.against != m }))
		}
	}
	rows := make([]string, len(c.Changes))
	head, mean := "percent more of the points with\tall", "mean score, games"
	for i, pairs := range columns {
		if i > 0 {
			head += "\t" + c.Against[i-1]
		}
		points := 0.0
		for _, v := range pairs {
			points += v.points
		}
		mean += fmt.Sprintf("\t%.1f, %d", 100*points/float64(max(len(pairs), 1)), 2*len(pairs))
		found := effects(pairs)
		for k := range rows {
			if found == nil {
				rows[k] += "\t–"
				continue
			}
			rows[k] += fmt.Sprintf("\t%+.1f ± %.1f", 100*found[k].value, 196*found[k].deviation)
		}
	}
	fmt.Fprintln(w, head)
	for k, name := range c.Changes {
		fmt.Fprintln(w, name+rows[k])
	}
	fmt.Fprintln(w, mean)
	return w.Flush()
}
