package player

import (
	"fmt"
	"math/rand/v2"
	"time"

	"luzhanqi/game"
	"luzhanqi/game/gastank"
	"luzhanqi/game/jungle"
	"luzhanqi/game/quagmire"
)

// gamesOfTest are the games of perfect information.
var gamesOfTest = []game.Game{jungle.Game{}, gastank.Game{}, quagmire.Game{}}

func gameOfTest(name string) (game.Game, error) {
	for _, g := range gamesOfTest {
		if g.Name() == name {
			return g, nil
		}
	}
	return nil, fmt.Errorf("no game %q", name)
}

// rivalOfTest is a player that only measurements use, or a variant of strong.
func rivalOfTest(g game.Game, name string, o Options) Player {
	if name == "forward" && g.Name() == "jungle" {
		return forward{}
	}
	change, ok := rivals[name]
	if !ok {
		return nil
	}
	p := &alphaBeta{game: g, kind: treeGames[g.Name()], options: o, threads: 1}
	change(p)
	return p
}

// rivals are what changes were measured with: strong on one core, but for one thing.
var rivals = map[string]func(*alphaBeta){
	"one":      func(*alphaBeta) {},
	"two":      func(p *alphaBeta) { p.threads = 2 },
	"nofutile": func(p *alphaBeta) { p.kind.rules.futile = 0 },
	"futile2x": func(p *alphaBeta) { p.kind.rules.futile *= 2 },
	"blind2":   func(p *alphaBeta) { p.depth, p.plain, p.kind.plant = 2, true, (&quagmireWeights{}).plant },
	"crowded2": func(p *alphaBeta) { p.depth, p.plain = 2, true },
	"nolone":   quagmireRival(func(w *quagmireWeights) { w.lone = [4]int32{} }),
	"textbook": gasTankRival(func(w *gasTankWeights) { *w = gasTankTextbook }),
	"patient":  func(p *alphaBeta) { p.kind.patience = 1 },
	"nohaste":  gasTankRival(func(w *gasTankWeights) { w.haste, w.mover = 0, 0 }),
	"nolate":   gasTankRival(func(w *gasTankWeights) { w.gasLate, w.menLate = 0, 0 }),
	"hunted6":  jungleRival(func(w *jungleWeights) { w.hunted = 6 }),
	"unsolved": func(p *alphaBeta) { p.kind.plant = unsolvedPlant(p.kind.plant) },
	"near8":    jungleRival(func(w *jungleWeights) { w.near, w.gate = 8, 14 }),
}

// unsolved is a tree without its tables of endings.
type unsolved struct{ tree }

func (u unsolved) Fork() tree { return unsolved{u.tree.Fork()} }

func unsolvedPlant(plant func(game.View, int) tree) func(game.View, int) tree {
	return func(v game.View, plies int) tree { return unsolved{plant(v, plies)} }
}

// forward plays Jungle as most first programs do: it enters the den if it can, else captures if it
// can, else mostly makes a random step forward.
type forward struct{}

func (forward) SetUp(*rand.Rand) game.SetUp { return "" }

func (forward) Choose(view game.View, _ time.Time, r *rand.Rand) game.Move {
	v := view.(*jungle.View)
	b := v.Board()
	best, most := game.Move{}, -1.0
	for _, m := range v.Moves(nil) {
		score := r.Float64()
		_, from := jungle.XY(m.From)
		_, to := jungle.XY(m.To)
		if v.Side() == game.First {
			from, to = to, from
		}
		if to > from {
			score += 1
		}
		if b.Of(v.Side().Other()).Has(m.To) {
			score += 2
		}
		if m.To == jungle.Den(v.Side().Other()) {
			score += 4
		}
		if score > most {
			best, most = m, score
		}
	}
	return best
}

func quagmireRival(change func(*quagmireWeights)) func(*alphaBeta) {
	w := quagmireDefaults
	change(&w)
	return func(p *alphaBeta) { p.kind.plant = w.plant }
}

func gasTankRival(change func(*gasTankWeights)) func(*alphaBeta) {
	w := gasTankDefaults
	change(&w)
	return func(p *alphaBeta) { p.kind.plant = w.plant }
}

func jungleRival(change func(*jungleWeights)) func(*alphaBeta) {
	w := jungleDefaults
	change(&w)
	return func(p *alphaBeta) {
		terms := newJungleTerms(w)
		p.kind.plant = func(v game.View, plies int) tree {
			view := v.(*jungle.View)
			return terms.newTree(view.Board(), view.Side(), view.Ply(), plies)
		}
	}
}
