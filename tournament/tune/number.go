package tune

import (
	"math"
	"math/rand/v2"
	"regexp"
	"strconv"
	"strings"

	"luzhanqi/process"
	"luzhanqi/tournament/plan/strict"
)

// Number is one that is tuned: it stands as {Name} in the player's command line or environment.
type Number struct {
	Name     string  `json:"name"`
	Start    float64 `json:"start"`
	Min      float64 `json:"min"`
	Max      float64 `json:"max"`
	Step     float64 `json:"step"` // by how much it is varied up and down in the last round
	Integer  bool    `json:"integer,omitempty"`
	decimals int     // of a real number: enough for a hundredth of the step
}

// MaxNumbers bounds how many are tuned at a time. With hundreds, games tell next to nothing of each.
const MaxNumbers = 100

var validName = regexp.MustCompile(`^[A-Za-z][A-Za-z0-9_]{0,31}$`)

// readNumber takes a number out of its table.
func readNumber(t *strict.Table) Number {
	const most = 1e12
	n := Number{Name: t.Text("name", ""), Integer: t.Flag("integer", false)}
	t.Require("name", "start", "min", "max", "step")
	n.Start, n.Min, n.Max = t.Number("start", 0, -most, most), t.Number("min", 0, -most, most), t.Number("max", 0, -most, most)
	n.Step = t.Number("step", 0, 1e-9, most)
	switch {
	case t.Has("name") && !validName.MatchString(n.Name):
		t.Errorf("name", "found %.40q; allowed are a letter and up to 31 letters, digits and _", n.Name)
	case n.Name == "seed":
		t.Errorf("name", "{seed} is the seed of a game's pair; choose another name")
	case !t.Has("min") || !t.Has("max") || !t.Has("step") || !t.Has("start"):
	case n.Min >= n.Max:
		t.Errorf("max", "found %v; allowed is more than min, which is %v", n.Max, n.Min)
	case n.Start < n.Min || n.Start > n.Max:
		t.Errorf("start", "found %v; allowed are %v to %v", n.Start, n.Min, n.Max)
	case 2*n.Step > n.Max-n.Min:
		t.Errorf("step", "found %v; allowed is at most half of the range, %v", n.Step, (n.Max-n.Min)/2)
	case n.Integer && (n.Start != math.Trunc(n.Start) || n.Min != math.Trunc(n.Min) || n.Max != math.Trunc(n.Max)):
		t.Errorf("integer", "start, min and max of an integer are whole")
	case n.Integer && n.Step < 0.5:
		t.Errorf("step", "found %v; allowed is 0.5 or more for an integer, or both players would mostly have the same", n.Step)
	}
	n.decimals = max(0, int(math.Ceil(2-math.Log10(max(n.Step, 1e-9)))))
	return n
}

// clip brings a value into the range.
func (n *Number) clip(x float64) float64 { return min(max(x, n.Min), n.Max) }

// at is a value that programs can be given: an integer is rounded up with the probability of its fraction, so that fractions
// count, where draw is between 0 and 1.
func (n *Number) at(x, draw float64) float64 {
	x = n.clip(x)
	if n.Integer {
		return n.clip(math.Floor(x + draw))
	}
	scale := math.Pow(10, float64(n.decimals))
	return n.clip(math.Round(x*scale) / scale)
}

// final is the nearest value that programs can be given.
func (n *Number) final(x float64) float64 { return n.at(x, 0.5) }

// Format writes a value as programs are given it.
func (n *Number) Format(x float64) string { return strconv.FormatFloat(x, 'f', -1, 64) }

// placeholder is what stands for the number.
func (n *Number) placeholder() string { return "{" + n.Name + "}" }

// uses says whether a number stands in a command.
func (n *Number) uses(c process.Command) bool {
	for _, words := range [][]string{c.Args, c.Env} {
		for _, word := range words {
			if strings.Contains(word, n.placeholder()) {
				return true
			}
		}
	}
	return false
}

// fill puts values into a command.
func fill(c process.Command, numbers []Number, values []float64) process.Command {
	var pairs []string
	for i := range numbers {
		pairs = append(pairs, numbers[i].placeholder(), numbers[i].Format(values[i]))
	}
	replace := strings.NewReplacer(pairs...).Replace
	c.Args, c.Env = each(c.Args, replace), each(c.Env, replace)
	return c
}

func each(words []string, change func(string) string) (changed []string) {
	for _, word := range words {
		changed = append(changed, change(word))
	}
	return changed
}

// chance is the source of the random choices of a round.
func chance(seed uint64, round int) *rand.Rand {
	return rand.New(rand.NewPCG(seed, 0x5b5a<<32|uint64(round)))
}
