package rating

import (
	"errors"
	"fmt"
	"math"
)

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
	maxPlayers = 1000 // of a fit; the matrix of a thousand takes 8 MB
	maxMet     = 1e9
	minPrior   = 0.1
	maxPrior   = 1000
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
	if players < 1 || players > maxPlayers {
		return Ratings{}, fmt.Errorf("rate %d players: allowed are 1 to %d", players, maxPlayers)
	}
	if p := model.Prior; p != 0 && !(p >= minPrior && p <= maxPrior) {
		return Ratings{}, fmt.Errorf("prior of %v games: allowed are 0, for none, and %v to %v", p, minPrior, maxPrior)
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
	inverse, err := f.newton()
	if err != nil {
		return Ratings{}, err
	}
	r.take(f, inverse)
	return r, nil
}
