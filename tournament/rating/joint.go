package rating

import (
	"fmt"
	"math"
)

// joint is the model that rates all players of a tournament at once: Bradley and Terry's (1952) with
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
type joint struct {
	// prior is how many virtual games each player has played against a ghost at the mean, half of
	// them won and half lost; as many are played between equals to say what the first move is worth,
	// and, where games were drawn, as many to say how many are, half of them drawn. It makes every
	// estimate finite and leads it away from 0 Elo only as far as the games do. For the players it is
	// the prior of the R package PlackettLuce, whose npseudo is half of prior. It is positive; a very
	// small one gives the published numbers of plain maximum likelihood.
	prior float64
	even  bool // moving first is no advantage, instead of one that is estimated
}

const (
	maxPlayers = 1000 // of a fit; the matrix of a thousand takes 8 MB
	maxMet     = 1e9
)

// Fit rates players, by the model of Bradley and Terry with draws and the advantage of the first move, and one
// virtual game a player. games may name a pair any number of times, in any order. An error is about the arguments.
func Fit(players int, games []Met) (Ratings, error) { return joint{prior: 1}.fit(players, games) }

// fit is Newton's method on the exact second derivatives, by Cholesky's decomposition: the logarithm
// of the likelihood is concave, so that there is one maximum; the derivatives are cheap, as games are
// counted by who met whom; and the last decomposition is the covariance. The steps are damped as Sun
// and Tran-Dinh prove for such functions ("Generalized self-concordant functions", 2019), and never change
// the odds of a game by more than e: no search along the line is needed, which rounding could mislead,
// no start is too far away, and what only the prior tells does not get out of hand on the way.
func (model joint) fit(players int, games []Met) (Ratings, error) {
	if players < 1 || players > maxPlayers {
		return Ratings{}, fmt.Errorf("rate %d players: allowed are 1 to %d", players, maxPlayers)
	}
	met, err := aggregate(players, games)
	if err != nil {
		return Ratings{}, err
	}
	f := &fit{met: met, players: players, prior: model.prior, advantage: -1, draws: -1}
	size := players
	total, drawn := 0, 0
	for _, m := range met {
		total += m.total()
		drawn += m.Draws
	}
	if !model.even {
		f.advantage = size
		size++
	}
	if drawn > 0 { // without draws v = 0 is the likeliest, and the model Bradley and Terry's
		f.draws = size
		size++
	}
	f.at = make([]float64, size)
	inverse, err := f.newton()
	if err != nil {
		return Ratings{}, err
	}
	r := Ratings{links: linked(players, met), unit: 400 / math.Ln10, games: total}
	r.take(f, inverse)
	return r, nil
}
