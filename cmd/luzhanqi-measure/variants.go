package main

import (
	"fmt"
	"hash/fnv"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"time"

	"luzhanqi/game"
	rules "luzhanqi/game/jungle"
	rulesluzhanqi "luzhanqi/game/luzhanqi"
	"luzhanqi/hiddeninfo"
	"luzhanqi/player"
	"luzhanqi/player/alphabeta"
	"luzhanqi/player/gastank"
	"luzhanqi/player/jungle"
	"luzhanqi/player/levels"
	"luzhanqi/player/luzhanqi"
	"luzhanqi/player/luzhanqi/stranger"
	"luzhanqi/player/quagmire"
)

// find makes a player by name: a level, a variant of strong, or a file of Luzhanqi ([fromFile]). After all of them @ and a number of positions
// may follow, at which it looks, and after that % and how many of a hundred moves are random. The positions of the options are for those
// that would use the time: who has a budget of its own keeps it.
func find(g game.Game, name string, o player.Options) (player.Player, error) {
	if g.Name() == "luzhanqi" {
		if p, err := fromFile(name, o); p != nil || err != nil {
			return p, err
		}
	}
	if before, after, ok := strings.Cut(name, "%"); ok {
		percent, err := strconv.Atoi(after)
		if err != nil || percent < 1 || percent > 99 {
			return nil, fmt.Errorf("player %q: %q is no percentage of random moves from 1 to 99", name, after)
		}
		if _, err := find(g, before, o); err != nil {
			return nil, err
		}
		sure := player.Level{New: func(g game.Game, o player.Options) player.Player {
			p, _ := find(g, before, o) // was found just now
			return p
		}}
		return player.Slipping(sure, percent).New(g, o), nil
	}
	if before, after, ok := strings.Cut(name, "@"); ok {
		n, err := positions(name, after)
		if err != nil {
			return nil, err
		}
		name, o.Nodes = before, n
	} else if ownBudget(g, name) {
		o.Nodes = 0
	}
	if l, err := levels.Find(g, name); err == nil {
		return l.New(g, o), nil
	}
	if p := variant(g, name, o); p != nil {
		return p, nil
	}
	var names []string
	for _, l := range levels.Of(g) {
		names = append(names, l.Name)
	}
	return nil, fmt.Errorf("player %q of %s: neither a level (%s) nor a variant, nor the file of a style (.json), a search (.search) or a book (.txt) of Luzhanqi", name, g.Name(), strings.Join(names, ", "))
}

// ownBudget says whether a player looks at as many positions as it always does, or at none, however many of its moves are random.
func ownBudget(g game.Game, name string) bool {
	name, _, _ = strings.Cut(name, "%")
	l, err := levels.Find(g, name)
	return err == nil && !l.Timed || g.Name() == "luzhanqi" && name == "responder"
}

// budgeted is a player of Luzhanqi with its budget, where it needs to be told one.
func budgeted(name, budget string) string {
	if strings.Contains(name, "@") || ownBudget(rulesluzhanqi.Game{}, name) {
		return name
	}
	return name + "@" + budget
}

// variant is a player that only measurements use; nil if there is none of that name.
func variant(g game.Game, name string, o player.Options) player.Player {
	switch g.Name() {
	case "luzhanqi":
		return luzhanqiVariant(name, o)
	case "jungle":
		if name == "forward" {
			return forward{}
		}
		return treeVariant(g, jungle.Search, jungleVariants, name, o)
	case "gastank":
		return treeVariant(g, gastank.Search, gastankVariants, name, o)
	case "quagmire":
		return treeVariant(g, quagmire.Search, quagmireVariants, name, o)
	}
	return nil
}

// responder is what 25 minutes of the command exploit made of the level rush (seed 2).
var responder = luzhanqi.RushWeights{
	Win: 1.172, Lose: 2.764, Open: 1.813, Fight: 0.933, Near: 91.94, Way: 2.910, Danger: 0.0976, Exposure: 139.6, Noise: 0.2237,
}

// unlearned is the seed of the styles drawn-0, drawn-1, … and rusher-0, rusher-1, …: strangers that nothing was learned from. (The book of set-ups
// was made by games against others, drawn by other seeds.)
const unlearned = 777

func luzhanqiVariant(name string, o player.Options) player.Player {
	if name == "responder" {
		return luzhanqi.NewRush(responder)
	}
	if name == "fortress" {
		return newFortress(o)
	}
	if of, ok := strings.CutPrefix(name, "told-"); ok { // told-25, told-25-f665184
		number, frozen := strings.CutSuffix(of, "-f665184")
		percent, err := strconv.Atoi(number)
		if err != nil || percent < 1 || percent > 100 {
			return nil
		}
		s := luzhanqi.Strong
		if frozen {
			s = luzhanqi.F665184
		}
		return &told{Searcher: luzhanqi.NewSearcher(s, o), pieces: (hiddeninfo.Pieces*percent + 50) / 100}
	}
	if letters, ok := strings.CutPrefix(name, "knows-"); ok { // knows-98B
		var ranks hiddeninfo.Mask
		for _, letter := range []byte(letters) {
			rank, err := rulesluzhanqi.ParseRank(letter)
			if err != nil || ranks.Has(rank) {
				return nil
			}
			ranks |= hiddeninfo.Only(rank)
		}
		if ranks == 0 {
			return nil
		}
		return &told{Searcher: luzhanqi.NewSearcher(luzhanqi.Strong, o), ranks: ranks}
	}
	for prefix, draw := range map[string]func(*rand.Rand) stranger.Style{"drawn-": stranger.Drawn, "rusher-": stranger.DrawnRusher} {
		number, ok := strings.CutPrefix(name, prefix)
		if !ok {
			continue
		}
		n, err := strconv.ParseUint(number, 10, 64)
		if err != nil {
			return nil
		}
		s := draw(rand.New(rand.NewPCG(unlearned, n)))
		return stranger.New(&s)
	}
	s, changes, ok := changed(name)
	if !ok {
		return nil
	}
	for _, c := range changes {
		switch c {
		case "x4":
			o.Nodes *= 4
		case "x16":
			o.Nodes *= 16
		}
	}
	if slices.Contains(changes, "oracle") {
		return &oracle{Searcher: luzhanqi.NewSearcher(s, o)}
	}
	return luzhanqi.NewSearcher(s, o)
}

// oracle is strong's twin that is shown the truth, which measures what hidden information costs.
type oracle struct{ *luzhanqi.Searcher }

// told is a twin that is told what some of the enemy's pieces are: those of some ranks, or a number of them that are drawn by the set-ups alone, so
// that whoever it plays with the same set-ups, they are the same.
type told struct {
	*luzhanqi.Searcher
	pieces int
	ranks  hiddeninfo.Mask
}

// tell says which pieces of a side, in this game.
func (t *told) tell(position game.Position, side game.Side) {
	var setUps [2]rulesluzhanqi.SetUp
	hash := fnv.New64a()
	for s := range setUps {
		setUps[s] = position.View(game.Side(s)).(*rulesluzhanqi.View).SetUp()
		hash.Write([]byte(setUps[s].String()))
	}
	pieces := rand.New(rand.NewPCG(hash.Sum64(), uint64(side))).Perm(hiddeninfo.Pieces)[:t.pieces]
	for p, home := range hiddeninfo.Homes {
		if t.ranks.Has(setUps[side].At(home)) {
			pieces = append(pieces, p)
		}
	}
	t.Tell = func(b *hiddeninfo.Belief) {
		for _, p := range pieces {
			b.Tell(hiddeninfo.Piece(p), hiddeninfo.Only(setUps[side].At(hiddeninfo.Homes[p])))
		}
	}
}

// showTruth shows a player the position, if it is one that may see it, or a part of it.
func showTruth(p player.Player, position game.Position) {
	p = player.Sure(p)
	if t, ok := p.(*told); ok && t.Tell == nil {
		t.tell(position, position.Mover().Other())
	}
	if o, ok := p.(*oracle); ok {
		truth := position.(*rulesluzhanqi.Position).Board()
		o.Truth = func(*rulesluzhanqi.View) rulesluzhanqi.Board { return truth }
	}
}

// change makes a variant of strong.
type change func(*alphabeta.Game, *alphabeta.Config)

func treeVariant(g game.Game, kind alphabeta.Game, own map[string]change, name string, o player.Options) player.Player {
	c := alphabeta.Config{Threads: 2}
	apply, ok := own[name]
	if !ok {
		apply, ok = treeVariants[name]
	}
	if !ok {
		return nil
	}
	apply(&kind, &c)
	return alphabeta.New(g, kind, c, o)
}

// treeVariants are those of every game of open positions.
var treeVariants = map[string]change{
	"nofutile": func(g *alphabeta.Game, _ *alphabeta.Config) { g.Rules.Futile = 0 },
	"futile2x": func(g *alphabeta.Game, _ *alphabeta.Config) { g.Rules.Futile *= 2 },
	"patient":  func(g *alphabeta.Game, _ *alphabeta.Config) { g.Patience = 1 },
}

var jungleVariants = map[string]change{
	"textbook": func(g *alphabeta.Game, _ *alphabeta.Config) { g.NewTree = g.Textbook },
	"unsolved": func(g *alphabeta.Game, _ *alphabeta.Config) { g.NewTree = unsolvedTree(g.NewTree) },
}

var gastankVariants = map[string]change{
	"textbook": gastankChange(func(w *gastank.Weights) { *w = gastank.Textbook }),
	"nohaste":  gastankChange(func(w *gastank.Weights) { w.Haste, w.Mover = 0, 0 }),
	"nolate":   gastankChange(func(w *gastank.Weights) { w.GasLate, w.MenLate = 0, 0 }),
}

func gastankChange(to func(*gastank.Weights)) change {
	w := gastank.Defaults
	to(&w)
	return func(g *alphabeta.Game, _ *alphabeta.Config) { g.NewTree = w.NewTree }
}

var quagmireVariants = map[string]change{
	"blind2": func(g *alphabeta.Game, c *alphabeta.Config) {
		c.Depth, c.Plain, g.NewTree = 2, true, (&quagmire.Weights{}).NewTree
	},
	"crowded2": func(_ *alphabeta.Game, c *alphabeta.Config) { c.Depth, c.Plain = 2, true },
	"nolone": func(g *alphabeta.Game, _ *alphabeta.Config) {
		w := quagmire.Defaults
		w.Lone = [4]int32{}
		g.NewTree = w.NewTree
	},
}

// unsolved is a tree without its tables of endings.
type unsolved struct{ alphabeta.Tree }

func (u unsolved) Fork() alphabeta.Tree { return unsolved{u.Tree.Fork()} }

func unsolvedTree(newTree func(game.View, int) alphabeta.Tree) func(game.View, int) alphabeta.Tree {
	return func(v game.View, cap int) alphabeta.Tree { return unsolved{newTree(v, cap)} }
}

// forward plays Jungle as most first programs do: it enters the den if it can, else captures if it
// can, else mostly makes a random step forward.
type forward struct{}

// SetUp implements player.Player.
func (forward) SetUp(*rand.Rand) game.SetUp { return "" }

// Choose implements player.Player.
func (forward) Choose(view game.View, _ time.Time, r *rand.Rand) game.Move {
	v := view.(*rules.View)
	b := v.Board()
	score := func(m game.Move) float64 {
		s := r.Float64()
		_, from := rules.XY(m.From)
		_, to := rules.XY(m.To)
		if v.Side() == game.First {
			from, to = to, from
		}
		if to > from {
			s++
		}
		if b.Of(v.Side().Other()).Has(m.To) {
			s += 2
		}
		if m.To == rules.Den(v.Side().Other()) {
			s += 4
		}
		return s
	}
	moves := v.Moves(nil)
	scores := make([]float64, len(moves))
	for i, m := range moves {
		scores[i] = score(m)
	}
	return moves[slices.Index(scores, slices.Max(scores))]
}
