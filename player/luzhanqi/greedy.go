package luzhanqi

import (
	"math"
	"math/rand/v2"
	"time"

	"luzhanqi/game"
	"luzhanqi/game/luzhanqi"
)

// greedy plays Luzhanqi one ply ahead. For each enemy piece it keeps what combat has told about it,
// takes the ranks that are left as likely as they are frequent in an army, and weighs what a move
// wins, what it risks, and how far it leads towards the enemy's headquarters. It does not count
// which enemy ranks are already dead, nor how constraints exclude each other; package hiddeninfo does.
type greedy struct {
	started bool
	ply     int
	own     [60]luzhanqi.Rank
	enemy   [60]suspect
	last    game.Move
}

// suspect is what is known about the enemy piece on a square.
type suspect struct {
	home     game.Square // where it was set up, in its own side's frame
	moved    bool
	above    luzhanqi.Rank // it has beaten this rank
	engineer bool          // it took a landmine or turned a corner
}

// worth of a piece, by rank code; the flag's is more than any other sum.
var worth = [16]float64{
	luzhanqi.FieldMarshal: 10, luzhanqi.General: 8, luzhanqi.MajorGeneral: 6.5, luzhanqi.BrigadierGeneral: 5,
	luzhanqi.Colonel: 4, luzhanqi.Major: 3, luzhanqi.Captain: 2.2, luzhanqi.Lieutenant: 1.6,
	luzhanqi.Engineer: 3, luzhanqi.Bomb: 5, luzhanqi.Landmine: 2.5, luzhanqi.Flag: 1000,
}

// SetUp implements player.Player. It draws at random among set-ups in which landmines guard the flag: without
// them a rush of the first pieces to arrive wins in about twenty plies.
func (g *greedy) SetUp(r *rand.Rand) game.SetUp { return game.SetUp(AsGreedy.Draw(r).String()) }

// shelter counts what protects the flag in a set-up, and bombs and officers kept out of its dead
// corner, where nothing can leave before the pieces in front.
func shelter(s luzhanqi.SetUp) (score float64) {
	for sq := range game.Square(30) {
		rank := s.At(sq)
		if rank == luzhanqi.Flag {
			for next := range luzhanqi.TargetsOf(sq, 0, 0, false).All() {
				if s.At(next) == luzhanqi.Landmine {
					score += 10
				}
			}
		}
		if row := sq / 5; row == 0 && rank.Moves() {
			score -= worth[rank]
		}
	}
	return score
}

func (g *greedy) Choose(view game.View, _ time.Time, r *rand.Rand) game.Move {
	v := view.(*luzhanqi.View)
	g.observe(v)
	return g.best(v, 0.2, r, g.score)
}

// best returns the move with the highest score, to each of which noise adds up to so much.
func (g *greedy) best(v *luzhanqi.View, noise float64, r *rand.Rand, score func(*luzhanqi.View, game.Move) float64) game.Move {
	var best game.Move
	highest := math.Inf(-1)
	for _, m := range v.Moves(nil) {
		if score := score(v, m) + noise*r.Float64(); score > highest {
			best, highest = m, score
		}
	}
	g.last = best
	return best
}

// observe takes in what has happened since the last call.
func (g *greedy) observe(v *luzhanqi.View) {
	if !g.started {
		g.started = true
		for sq := range game.Square(30) {
			own, enemy := sq, luzhanqi.Turn(sq)
			if v.Side() == game.Second {
				own, enemy = enemy, own
			}
			g.own[own] = v.SetUp().At(sq)
			g.enemy[enemy].home = sq
		}
	}
	for _, o := range v.Since(g.ply) {
		if o.Mover == v.Side() {
			g.ownMove(o, v.MinesStay())
		} else {
			g.enemyMove(o)
		}
	}
	g.ply = v.Ply()
}

func (g *greedy) ownMove(o luzhanqi.Observation, minesStay bool) {
	rank := g.own[o.Move.From]
	g.own[o.Move.From] = luzhanqi.None
	if !o.Result.AttackerFalls() {
		g.own[o.Move.To] = rank
	}
	target := &g.enemy[o.Move.To]
	if o.Result == luzhanqi.Loss && rank > target.above && (target.moved || !minesStay) {
		target.above = rank
	}
}

func (g *greedy) enemyMove(o luzhanqi.Observation) {
	s := g.enemy[o.Move.From]
	s.moved = true
	if !luzhanqi.TargetsOf(o.Move.From, 0, 0, false).Has(o.Move.To) {
		s.engineer = true
	}
	victim := g.own[o.Move.To]
	if o.Result.DefenderFalls() {
		g.own[o.Move.To] = luzhanqi.None
	}
	if o.Result == luzhanqi.Win {
		if victim == luzhanqi.Landmine {
			s.engineer = true
		} else if victim > s.above {
			s.above = victim
		}
	}
	if !o.Result.AttackerFalls() {
		g.enemy[o.Move.To] = s
	}
}

// odds weighs every rank that the enemy piece on sq can have.
func (g *greedy) odds(v *luzhanqi.View, sq game.Square) (weight odds) {
	s := g.enemy[sq]
	for _, rank := range luzhanqi.Ranks {
		if s.allows(v, sq, rank) {
			weight[rank] = float64(luzhanqi.Count(rank))
			if rank == luzhanqi.Landmine && !s.moved && v.Ply() > 40 {
				weight[rank] *= 3 // what has not moved for so long mostly cannot
			}
		}
	}
	weight.normalize()
	return weight
}

func (s suspect) allows(v *luzhanqi.View, sq game.Square, rank luzhanqi.Rank) bool {
	flagAt, shown := v.EnemyFlag()
	home := luzhanqi.Bit(s.home)
	switch {
	case shown && sq == flagAt:
		return rank == luzhanqi.Flag
	case s.engineer:
		return rank == luzhanqi.Engineer
	case rank == luzhanqi.Flag:
		return !shown && !s.moved && home&luzhanqi.Headquarters != 0 && s.above == luzhanqi.None
	case rank == luzhanqi.Landmine:
		return !s.moved && home&luzhanqi.BackRows != 0 && s.above == luzhanqi.None
	case rank == luzhanqi.Bomb:
		return home&luzhanqi.FrontRow == 0 && s.above == luzhanqi.None
	case rank == luzhanqi.FieldMarshal && shown:
		return false
	}
	return rank > s.above
}

// score is the expected gain of a move in the currency of worth.
func (g *greedy) score(v *luzhanqi.View, m game.Move) float64 {
	rank := v.Rank(m.From)
	score, survives := g.fight(v, m, 1, 1, 0)
	score += survives * (0.6*g.danger(v, m.From, rank, m) - 0.6*g.danger(v, m.To, rank, m))
	score += survives * (g.goal(v, m.From) - g.goal(v, m.To))
	score -= 100 * g.exposure(v, m, survives)
	if m.To == g.last.From && m.From == g.last.To {
		score -= 0.5
	}
	if luzhanqi.Headquarters.Has(m.To) {
		score -= 0.5 * worth[rank] * survives // it will never leave again
	}
	return score
}

// fight is what a move can expect of the combat on its target: what falls and what is lost count by their worth
// times win and lose, a landmine that falls counts open besides. Survives is the chance that the piece does.
func (g *greedy) fight(v *luzhanqi.View, m game.Move, win, lose, open float64) (score, survives float64) {
	survives = 1
	if !v.Enemy().Has(m.To) {
		return 0, survives
	}
	rank := v.Rank(m.From)
	for code, p := range g.odds(v, m.To) {
		if p == 0 {
			continue
		}
		other := luzhanqi.Rank(code)
		result := luzhanqi.Combat(rank, other, v.MinesStay())
		if result.DefenderFalls() {
			score += p * win * worth[other]
			if other == luzhanqi.Landmine {
				score += p * open
			}
		}
		if result.AttackerFalls() {
			score -= p * lose * worth[rank]
			survives -= p
		}
	}
	return score, survives
}

// reaches says whether an enemy piece could attack on a square if the pieces stood so.
func (g *greedy) reaches(from, to game.Square, own, enemy luzhanqi.Squares) bool {
	return !luzhanqi.Headquarters.Has(from) && luzhanqi.TargetsOf(from, enemy, own, g.enemy[from].engineer).Has(to)
}

// danger is what is expected to be lost when a piece of this rank stands on sq after m.
func (g *greedy) danger(v *luzhanqi.View, sq game.Square, rank luzhanqi.Rank, m game.Move) (highest float64) {
	if luzhanqi.Camps.Has(sq) {
		return 0
	}
	own := v.Own()&^luzhanqi.Bit(m.From) | luzhanqi.Bit(sq)
	enemy := v.Enemy() &^ luzhanqi.Bit(sq)
	for attacker := range enemy.All() {
		if !g.reaches(attacker, sq, own, enemy) {
			continue
		}
		expected := 0.0
		for code, p := range g.odds(v, attacker) {
			if p == 0 || !luzhanqi.Rank(code).Moves() {
				continue
			}
			result := luzhanqi.Combat(luzhanqi.Rank(code), rank, v.MinesStay())
			if result.DefenderFalls() {
				expected += p * worth[rank]
			}
			if result.AttackerFalls() {
				expected -= p * worth[code]
			}
		}
		highest = max(highest, expected)
	}
	return highest
}

// exposure is the chance that the enemy can take our flag after m.
func (g *greedy) exposure(v *luzhanqi.View, m game.Move, survives float64) float64 {
	threatened := func(own, enemy luzhanqi.Squares) float64 {
		for flag := range (v.Own() & luzhanqi.Headquarters).All() {
			for attacker := range enemy.All() {
				if v.Rank(flag) == luzhanqi.Flag && g.reaches(attacker, flag, own, enemy) {
					return 1
				}
			}
		}
		return 0
	}
	own := v.Own() &^ luzhanqi.Bit(m.From)
	return survives*threatened(own|luzhanqi.Bit(m.To), v.Enemy()&^luzhanqi.Bit(m.To)) +
		(1-survives)*threatened(own, v.Enemy())
}

// goal is the way that is left to where the enemy's flag may be, a tenth of a point a step.
func (g *greedy) goal(v *luzhanqi.View, sq game.Square) float64 {
	nearest := 20
	for target := range (luzhanqi.Headquarters & v.Enemy()).All() {
		if flag, shown := v.EnemyFlag(); shown && target != flag {
			continue
		}
		if !g.enemy[target].moved {
			nearest = min(nearest, abs(int(sq)%5-int(target)%5)+abs(int(sq)/5-int(target)/5))
		}
	}
	return 0.1 * float64(nearest)
}

func abs(n int) int { return max(n, -n) }
