package hiddeninfo

import (
	"math/rand/v2"
	"slices"

	"luzhanqi/game"
	"luzhanqi/game/luzhanqi"
)

// style is how both sides of a test game move.
type style int

const (
	aimless style = iota // any legal move
	hungry               // a capture if there is one, three times out of four
)

// playGame plays up to plies moves between random set-ups and returns every position.
func playGame(r *rand.Rand, how style, minesStay bool, plies int) (positions []*luzhanqi.Position, truth [2]World) {
	setUps := [2]luzhanqi.SetUp{luzhanqi.RandomSetUp(r), luzhanqi.RandomSetUp(r)}
	for side := range truth {
		for p := range truth[side] {
			truth[side][p] = setUps[side].At(Homes[p])
		}
	}
	p := luzhanqi.NewPosition(setUps[0], setUps[1], minesStay)
	positions = append(positions, p)
	for range plies {
		moves := p.Moves(nil)
		if len(moves) == 0 {
			break
		}
		if how == hungry && r.IntN(4) > 0 {
			enemies := viewOf(p, p.Mover()).Enemy()
			if captures := slices.DeleteFunc(slices.Clone(moves), func(m game.Move) bool { return !enemies.Has(m.To) }); len(captures) > 0 {
				moves = captures
			}
		}
		p = p.Play(moves[r.IntN(len(moves))]).(*luzhanqi.Position)
		positions = append(positions, p)
	}
	return positions, truth
}

func viewOf(p *luzhanqi.Position, side game.Side) *luzhanqi.View {
	return p.View(side).(*luzhanqi.View)
}

func newRand(seed uint64) *rand.Rand { return rand.New(rand.NewPCG(seed, 1)) }

// randomWeights is an opinion that spans four orders of magnitude.
func randomWeights(r *rand.Rand) *Weights {
	var w Weights
	for p := range w {
		for _, rank := range luzhanqi.Ranks {
			x := r.Float64()*2 - 1
			w[p][rank] = 1
			for range 4 {
				w[p][rank] *= 1 + 0.9*x
			}
		}
	}
	return &w
}

// reproduces plays the observations again with the world as the enemy's army: the rules themselves
// say whether it could have been so. How the game ended is not looked at.
func reproduces(v *luzhanqi.View, w *World) bool {
	var board luzhanqi.Board
	for p := range Piece(Pieces) {
		board.Put(p.home(v.Side()), v.Side(), v.SetUp().At(Homes[p]))
		board.Put(p.home(v.Side().Other()), v.Side().Other(), w[p])
	}
	for _, o := range v.Since(0) {
		if !board.Legal(o.Mover, o.Move) {
			return false
		}
		result, attacker, defender := board.Play(o.Move, v.MinesStay())
		var flags []luzhanqi.Reveal
		show := func(side game.Side) {
			if sq, ok := board.Flag(side); ok {
				flags = append(flags, luzhanqi.Reveal{Owner: side, Square: sq})
			}
		}
		if attacker == luzhanqi.FieldMarshal && result.AttackerFalls() {
			show(o.Mover)
		}
		if defender == luzhanqi.FieldMarshal && result.DefenderFalls() {
			show(o.Mover.Other())
		}
		if result != o.Result || !slices.Equal(flags, o.Flags) {
			return false
		}
	}
	return true
}

// legal says whether the world is a legal set-up.
func legal(w *World) bool {
	var ranks [30]luzhanqi.Rank
	for p, rank := range w {
		ranks[Homes[p]] = rank
	}
	_, err := luzhanqi.NewSetUp(ranks)
	return err == nil
}
