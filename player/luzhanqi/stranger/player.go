package stranger

import (
	"math"
	"math/rand/v2"
	"time"

	"luzhanqi/game"
	"luzhanqi/game/luzhanqi"
	"luzhanqi/hiddeninfo"
	"luzhanqi/player/luzhanqi/tables"
)

// Player plays one game in a style. It sees what its side may know: the view, and the belief that follows from it.
type Player struct {
	style    *Style
	belief   *hiddeninfo.Belief
	history  history
	striking bool
	mirrored bool
	before   game.Move // own

	// The rest is about the move that is being chosen.
	view    *luzhanqi.View
	weights *Weights
	lane    luzhanqi.Squares
	odds    [tables.SquareCount]*[tables.RankCodes]float64 // of the enemy pieces
	turning luzhanqi.Squares                               // enemy pieces that are engineers
	flag    game.Square                                    // own
	cost    [2][tables.SquareCount]float64                 // of the way: of engineers, which turn, and of others
}

// New makes a player for one game.
func New(s *Style) *Player { return &Player{style: s} }

// worth of a piece, by rank code; the flag's is more than any other sum.
var worth = [tables.RankCodes]float64{
	luzhanqi.FieldMarshal: 10, luzhanqi.General: 8, luzhanqi.MajorGeneral: 6.5, luzhanqi.BrigadierGeneral: 5,
	luzhanqi.Colonel: 4, luzhanqi.Major: 3, luzhanqi.Captain: 2.2, luzhanqi.Lieutenant: 1.6,
	luzhanqi.Engineer: 3, luzhanqi.Bomb: 5, luzhanqi.Landmine: 2.5, luzhanqi.Flag: 1000,
}

// eagerOf is the place of a rank in Weights.Eager.
var eagerOf = func() (place [tables.RankCodes]int) {
	for i := range eagerRanks {
		rank, err := luzhanqi.ParseRank(eagerRanks[i])
		if err != nil {
			panic("stranger: " + err.Error())
		}
		place[rank] = i
	}
	return place
}()

// SetUp implements player.Player.
func (p *Player) SetUp(r *rand.Rand) game.SetUp {
	s := p.style.SetUps[r.IntN(len(p.style.SetUps))]
	if r.IntN(2) == 0 {
		s = s.Mirrored()
	}
	return game.SetUp(s.String())
}

// Choose implements player.Player.
func (p *Player) Choose(view game.View, _ time.Time, r *rand.Rand) game.Move {
	p.look(view.(*luzhanqi.View))
	var best game.Move
	highest := math.Inf(-1)
	for _, m := range p.view.Moves(nil) {
		if score := p.rate(m) + p.weights.Noise*r.Float64(); score > highest {
			best, highest = m, score
		}
	}
	p.before = best
	return best
}

// look takes in what has happened and works out what every move is judged by.
func (p *Player) look(v *luzhanqi.View) {
	if p.belief == nil || v.Ply() < p.history.ply { // the first move, or another game
		*p = Player{style: p.style, belief: hiddeninfo.New(v), mirrored: p.style.mirrors(v.SetUp())}
	} else {
		p.belief.Update(v)
	}
	p.history.update(v)
	p.view = v
	p.striking = p.striking || beginnings[p.style.Begin](&p.history, p.style.After)
	p.weights = &p.style.Wait
	if p.striking {
		p.weights = &p.style.Strike
	}
	p.lane = 0
	for sq := range lanes[p.style.Lane].All() {
		p.lane |= luzhanqi.Bit(p.framed(sq))
	}
	for sq := range (v.Own() & luzhanqi.Headquarters).All() {
		if v.Rank(sq) == luzhanqi.Flag {
			p.flag = sq
		}
	}
	marginals := p.belief.Marginals()
	p.turning = 0
	for sq := range v.Enemy().All() {
		p.odds[sq] = &unknown
		if n, ok := p.belief.PieceAt(sq); ok {
			p.odds[sq] = &marginals[n]
		}
		if p.odds[sq][luzhanqi.Engineer] > 0.999 {
			p.turning |= luzhanqi.Bit(sq)
		}
	}
	p.cost = [2][tables.SquareCount]float64{p.costs(true), p.costs(false)}
}

// unknown are the odds of a piece that the belief has lost, by a referee with other rules.
var unknown = func() (odds [tables.RankCodes]float64) {
	for _, rank := range luzhanqi.Ranks {
		odds[rank] = float64(luzhanqi.Count(rank)) / luzhanqi.ArmySize
	}
	return odds
}()

// mirrors says whether a set-up is the mirror image of one of the style's.
func (s *Style) mirrors(own luzhanqi.SetUp) bool {
	for _, known := range s.SetUps {
		if known.Mirrored().SetUp == own {
			return true
		}
	}
	return false
}

func (h *history) update(v *luzhanqi.View) {
	half := luzhanqi.HalfOf(v.Side())
	for _, o := range v.Since(h.ply) {
		if o.Result != luzhanqi.Quiet {
			h.fights++
		}
		ours, theirs := o.Result.AttackerFalls(), o.Result.DefenderFalls()
		if o.Mover != v.Side() {
			ours, theirs = theirs, ours
		}
		switch {
		case ours && theirs:
			h.exchanges++
		case theirs:
			h.lead++
		case ours:
			h.lead--
		}
		if o.Mover == v.Side() && half.Has(o.Move.From) && !half.Has(o.Move.To) {
			h.passed++
		}
	}
	h.ply = v.Ply()
}

// framed is a square of the style's frame, in which its owner sits at rows 1 to 6 and nothing is mirrored, as the
// view names it; and back.
func (p *Player) framed(sq game.Square) game.Square {
	if p.mirrored {
		sq = mirror(sq)
	}
	if p.view.Side() == game.Second {
		sq = luzhanqi.Turn(sq)
	}
	return sq
}
