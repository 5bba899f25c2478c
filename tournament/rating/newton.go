package rating

import (
	"errors"
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"
)

const (
	maxSteps = 1000 // of Newton's method; 5 to 10 are usual
	// ridge is the part of what is known of each parameter that is known of any sum of them. Far out the
	// virtual games tell next to nothing; then this keeps matrices from being singular. It leads
	// nowhere else, and bounds errors only where they are a million times those of the games.
	ridge = 1e-12
)

// fit looks for the maximum of the likelihood. All parameters are natural logarithms.
type fit struct {
	met              []Met
	players          int
	prior            float64
	advantage, draws int       // where they are among the parameters; -1: not estimated
	at               []float64 // strengths, then advantage, then the draws' weight
}

// lead returns by how much the first player of a meeting is the stronger one, in a vector of parameters or of
// their changes.
func (f *fit) lead(v []float64, m Met) float64 {
	x := v[m.First] - v[m.Second]
	if f.advantage >= 0 {
		x += v[f.advantage]
	}
	return x
}

// newton goes to the maximum by Newton's method and returns the inverse of the information there.
func (f *fit) newton() (*mat.SymDense, error) {
	size := len(f.at)
	step := mat.NewVecDense(size, nil)
	scale := make([]float64, size)
	var root mat.Cholesky
	for range maxSteps {
		slope, information := f.derivatives()
		// To unit diagonal, so that the condition says how well parameters can be told apart,
		// and not of whom more games are known.
		for i := range scale {
			scale[i] = 1 / math.Sqrt(information.At(i, i)) // to which the prior has added
		}
		for i := range size {
			slope[i] *= scale[i]
			for j := i; j < size; j++ {
				information.SetSym(i, j, information.At(i, j)*scale[i]*scale[j])
			}
			information.SetSym(i, i, 1+ridge)
		}
		if !root.Factorize(information) {
			return nil, errors.New("ratings: the matrix of the information is singular")
		}
		if err := root.SolveVecTo(step, mat.NewVecDense(size, slope)); err != nil {
			return nil, fmt.Errorf("ratings: %w", err)
		}
		gain := 0.0 // twice what the whole step adds; the square of its length in standard errors
		change := step.RawVector().Data
		for i := range change {
			gain += change[i] * slope[i]
			change[i] *= scale[i]
		}
		damping, span := 1.0, f.span(change)
		if span > 0 {
			damping = min(math.Log1p(span), 1) / span
		}
		for i := range change {
			f.at[i] += damping * change[i]
		}
		if gain < 1e-10 { // the step has been taken, and steps converge quadratically
			var inverse mat.SymDense
			if err := root.InverseTo(&inverse); err != nil {
				return nil, fmt.Errorf("ratings: %w", err)
			}
			for i := range size {
				for j := i; j < size; j++ {
					inverse.SetSym(i, j, inverse.At(i, j)*scale[i]*scale[j])
				}
			}
			return &inverse, nil
		}
	}
	return nil, fmt.Errorf("ratings: no end after %d steps", maxSteps)
}

// derivatives returns the slope of the logarithm of the likelihood and the information, which is minus its
// second derivatives.
func (f *fit) derivatives() ([]float64, *mat.SymDense) {
	size := len(f.at)
	slope := make([]float64, size)
	information := mat.NewSymDense(size, nil)
	add := func(i, j int, x float64) { information.SetSym(i, j, information.At(i, j)+x) }
	for _, m := range f.met {
		n := float64(m.total())
		win, draw, loss := f.chances(f.lead(f.at, m))
		lead := win - loss
		up := (float64(m.Wins-m.Losses) - n*lead) / 2
		bend := n * (win + loss - lead*lead) / 4
		slope[m.First] += up
		slope[m.Second] -= up
		add(m.First, m.First, bend)
		add(m.Second, m.Second, bend)
		add(m.First, m.Second, -bend)
		if a := f.advantage; a >= 0 {
			slope[a] += up
			add(a, a, bend)
			add(m.First, a, bend)
			add(m.Second, a, -bend)
		}
		if d := f.draws; d >= 0 {
			slope[d] += float64(m.Draws) - n*draw
			add(d, d, n*draw*(1-draw))
			both := -n * lead * draw / 2
			add(m.First, d, both)
			add(m.Second, d, -both)
			if a := f.advantage; a >= 0 {
				add(a, d, both)
			}
		}
	}
	for i := range f.at {
		x := f.at[i]
		if i == f.draws {
			x -= math.Ln2 // between equals v : 2
		}
		p := 1 / (1 + math.Exp(-x))
		slope[i] += f.prior * (0.5 - p)
		far := math.Exp(-math.Abs(x))
		add(i, i, f.prior*far/((1+far)*(1+far)))
	}
	return slope, information
}

// chances returns the probabilities of the results for the first of two players, stronger by lead nats.
func (f *fit) chances(lead float64) (win, draw, loss float64) {
	// All three divided by the largest of them, so that nothing overflows.
	x := math.Abs(lead)
	better, worse := 1.0, math.Exp(-x)
	if f.draws >= 0 {
		top := max(x/2, f.at[f.draws])
		better, draw, worse = math.Exp(x/2-top), math.Exp(f.at[f.draws]-top), math.Exp(-x/2-top)
	}
	sum := better + draw + worse
	better, draw, worse = better/sum, draw/sum, worse/sum
	if lead < 0 {
		return worse, draw, better
	}
	return better, draw, worse
}

// span returns how much a change of the parameters changes, at most, the logarithm of the odds between any two
// possible results: the measure by which steps are damped.
func (f *fit) span(change []float64) (widest float64) {
	for _, m := range f.met {
		x := math.Abs(f.lead(change, m))
		widest = max(widest, x)
		if f.draws >= 0 {
			widest = max(widest, x/2+math.Abs(change[f.draws]))
		}
	}
	for _, x := range change {
		widest = max(widest, math.Abs(x))
	}
	return widest
}
