package rating

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"
)

// Met is how often two players have met with First moving first, and what came of it, from First's
// side.
type Met struct {
	First, Second       int // players, from 0
	Wins, Draws, Losses int
}

func (m Met) total() int { return m.Wins + m.Draws + m.Losses }

// Joint is the model that rates all players of a tournament at once: Bradley and Terry's (1952) with
// draws as Davidson has them ("On extending the Bradley–Terry model to accommodate ties in paired
// comparison experiments", 1970) and an advantage of the first move as Davidson and Beaver have it ("On
// extending the Bradley–Terry model to incorporate within-pair order effects", 1977).
//
// Of players with strengths a and b, the advantage g and the draws' weight v, all positive, the one
// who moves first wins, draws and loses with probabilities in proportion to
//
//	√(g·a/b) : v : √(b/(g·a))
//
// which is theirs with both parameters common to all games. Ratings are 400·log₁₀ of the strengths:
// 400 Elo between two players are ten wins for each loss, however many games are drawn.
type Joint struct {
	// Prior is how many virtual games each player has played against a ghost at the mean, half of
	// them won and half lost; as many are played between equals to say what the first move is worth,
	// and, where games were drawn, as many to say how many are, half of them drawn. It makes every
	// estimate finite and leads it away from 0 Elo only as far as the games do. For the players it is
	// the prior of the R package PlackettLuce, whose npseudo is half of Prior.
	//
	// 0 is plain maximum likelihood, for comparison with published numbers; it fails where there is no
	// maximum.
	Prior float64
	// Even says that moving first is no advantage, instead of estimating it.
	Even bool
}

// Usual is the model that tournaments are rated with: one virtual game a player.
var Usual = Joint{Prior: 1}

// ErrNoMaximum is what Fit returns without a prior if no finite ratings are the likeliest.
var ErrNoMaximum = errors.New("no finite ratings are the likeliest; a prior makes them finite")

const (
	mostPlayers = 1000 // of a fit; the matrix of a thousand takes 8 MB
	mostMet     = 1e9
	leastPrior  = 0.1
	mostPrior   = 1000
	mostSteps   = 1000 // of Newton's method; 5 to 10 are usual
	farthest    = 30   // nats; what is less likely never happens in so many games
	// least is the part of what is known of each parameter that is known of any sum of them. Far out the
	// virtual games tell next to nothing; then this keeps matrices from being singular. It leads
	// nowhere else, and bounds errors only where they are a million times those of the games.
	least = 1e-12
)

// Fit rates players by the usual model. Met may name a pair any number of times, in any order.
func Fit(players int, games []Met) (Ratings, error) { return Usual.Fit(players, games) }

// Fit rates players. Without a prior an error that is ErrNoMaximum says that the games allow no finite
// ratings; all other errors are about the arguments.
//
// It is Newton's method on the exact second derivatives, by Cholesky's decomposition: the logarithm
// of the likelihood is concave, so that there is one maximum; the derivatives are cheap, as games are
// counted by who met whom; and the last decomposition is the covariance. The steps are damped as Sun
// and Tran-Dinh prove for such functions ("Generalized self-concordant functions", 2019), and never change
// the odds of a game by more than e: no search along the line is needed, which rounding could mislead,
// no start is too far away, and what only the prior tells does not get out of hand on the way.
func (model Joint) Fit(players int, games []Met) (Ratings, error) {
	if players < 1 || players > mostPlayers {
		return Ratings{}, fmt.Errorf("rate %d players: allowed are 1 to %d", players, mostPlayers)
	}
	if p := model.Prior; p != 0 && !(p >= leastPrior && p <= mostPrior) {
		return Ratings{}, fmt.Errorf("prior of %v games: allowed are 0, for none, and %v to %v", p, leastPrior, mostPrior)
	}
	met, err := aggregate(players, games)
	if err != nil {
		return Ratings{}, err
	}
	f := &fit{met: met, players: players, prior: model.Prior, advantage: -1, draws: -1}
	size := players
	total, drawn := 0, 0
	for _, m := range met {
		total += m.total()
		drawn += m.Draws
	}
	if !model.Even {
		f.advantage = size
		size++
	}
	if drawn > 0 { // without draws v = 0 is the likeliest, and the model Bradley and Terry's
		f.draws = size
		size++
	}
	f.at = make([]float64, size)
	r := Ratings{links: linked(players, met), unit: 400 / math.Ln10, games: total}
	if model.Prior == 0 {
		if err := r.links.maximum(); err != nil {
			return Ratings{}, err
		}
	}
	inverse, err := f.climb()
	if err != nil {
		return Ratings{}, err
	}
	r.take(f, inverse)
	return r, nil
}

// aggregate adds up games of the same pair and order, in one order whatever the order of games.
func aggregate(players int, games []Met) ([]Met, error) {
	sums := map[[2]int]Met{}
	total := 0
	for i, g := range games {
		if g.First < 0 || g.First >= players || g.Second < 0 || g.Second >= players || g.First == g.Second {
			return nil, fmt.Errorf("games %d: players %d and %d met: must be two of 0 to %d", i, g.First, g.Second, players-1)
		}
		sum := sums[[2]int{g.First, g.Second}]
		for _, n := range [...]struct{ add, to *int }{{&g.Wins, &sum.Wins}, {&g.Draws, &sum.Draws}, {&g.Losses, &sum.Losses}} {
			if *n.add < 0 || *n.add > mostMet {
				return nil, fmt.Errorf("games %d of players %d and %d: found %d wins, %d draws and %d losses: allowed are 0 to %.0f of each",
					i, g.First, g.Second, g.Wins, g.Draws, g.Losses, float64(mostMet))
			}
			*n.to += *n.add
		}
		if total += g.total(); total > mostMet {
			return nil, fmt.Errorf("games %d of players %d and %d: with them there are %d: allowed are %.0f", i, g.First, g.Second, total, float64(mostMet))
		}
		sum.First, sum.Second = g.First, g.Second
		sums[[2]int{g.First, g.Second}] = sum
	}
	met := make([]Met, 0, len(sums))
	for _, sum := range sums {
		if sum.total() > 0 {
			met = append(met, sum)
		}
	}
	slices.SortFunc(met, func(a, b Met) int { return cmp.Or(a.First-b.First, a.Second-b.Second) })
	return met, nil
}

// fit is a climb to the maximum. All parameters are natural logarithms.
type fit struct {
	met              []Met
	players          int
	prior            float64
	advantage, draws int       // where they are among the parameters; -1: not estimated
	at               []float64 // strengths, then advantage, then the draws' weight
}

// lead is by how much the first of a meeting is the stronger one, in a vector of parameters or of
// their changes.
func (f *fit) lead(v []float64, m Met) float64 {
	x := v[m.First] - v[m.Second]
	if f.advantage >= 0 {
		x += v[f.advantage]
	}
	return x
}

// climb goes to the maximum and returns the inverse of the information there.
func (f *fit) climb() (*mat.SymDense, error) {
	size := len(f.at)
	step := mat.NewVecDense(size, nil)
	scale := make([]float64, size)
	var root mat.Cholesky
	for range mostSteps {
		slope, information := f.derivatives()
		// To unit diagonal, so that the condition says how well parameters can be told apart,
		// and not of whom more games are known.
		for i := range scale {
			d := information.At(i, i)
			if !(d > 0) {
				return nil, fmt.Errorf("%w: no game tells parameter %d of %d", ErrNoMaximum, i+1, size)
			}
			scale[i] = 1 / math.Sqrt(d)
		}
		for i := range size {
			slope[i] *= scale[i]
			for j := i; j < size; j++ {
				information.SetSym(i, j, information.At(i, j)*scale[i]*scale[j])
			}
			if f.prior > 0 {
				information.SetSym(i, i, 1+least)
			}
		}
		if !root.Factorize(information) || f.prior == 0 && root.Cond() > 1e10 {
			return nil, fmt.Errorf("%w: strength and the advantage of the first move cannot be told apart", ErrNoMaximum)
		}
		if err := root.SolveVecTo(step, mat.NewVecDense(size, slope)); err != nil {
			return nil, fmt.Errorf("%w: %w", ErrNoMaximum, err)
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
		for _, i := range []int{f.advantage, f.draws} {
			if f.prior == 0 && i >= 0 && math.Abs(f.at[i]) > farthest {
				return nil, fmt.Errorf("%w: the advantage of the first move, or the share of draws, grows without end", ErrNoMaximum)
			}
		}
		// The step has been taken, and steps converge quadratically. Where there is no maximum the gain
		// becomes small too, but never the step.
		if gain < 1e-10 && (f.prior > 0 || span < 1e-4) {
			var inverse mat.SymDense
			if err := root.InverseTo(&inverse); err != nil {
				return nil, fmt.Errorf("%w: %w", ErrNoMaximum, err)
			}
			for i := range size {
				for j := i; j < size; j++ {
					inverse.SetSym(i, j, inverse.At(i, j)*scale[i]*scale[j])
				}
			}
			return &inverse, nil
		}
	}
	return nil, fmt.Errorf("%w: no end after %d steps", ErrNoMaximum, mostSteps)
}

// derivatives are the slope of the logarithm of the likelihood and the information, which is minus its
// second derivatives. Without a prior a penalty on the sum of the strengths, which no game tells, is
// added to the information: it changes no difference, and keeps the sum where it is.
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
	if f.prior == 0 {
		weight := 0.0
		for i := range f.players {
			weight = max(weight, information.At(i, i))
		}
		for i := range f.players {
			for j := i; j < f.players; j++ {
				add(i, j, weight/float64(f.players))
			}
		}
		return slope, information
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

// chances are the probabilities of the results for the first of two players who is the stronger one
// by lead nats.
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

// span is by how much a change of the parameters changes the logarithm of the odds between any two
// results that may happen, at most: the measure by which steps are damped.
func (f *fit) span(change []float64) (most float64) {
	for _, m := range f.met {
		x := math.Abs(f.lead(change, m))
		most = max(most, x)
		if f.draws >= 0 {
			most = max(most, x/2+math.Abs(change[f.draws]))
		}
	}
	if f.prior > 0 {
		for _, x := range change {
			most = max(most, math.Abs(x))
		}
	}
	return most
}
