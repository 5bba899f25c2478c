package main

import (
	_ "embed"
	"math/rand/v2"
	"sync"

	"luzhanqi/game"
	rules "luzhanqi/game/luzhanqi"
	"luzhanqi/hiddeninfo"
	"luzhanqi/player/luzhanqi"
	"luzhanqi/player/luzhanqi/likelihood"
)

// tunedText are the set-ups of rushers that were tuned against strong or the frozen level: what a tuner finds is what
// the other makers do not expect, such as landmines where no flag is. They are copies, so that makers.txt can be made
// again when a style is tuned anew.
//
//go:embed tuned.txt
var tunedText string

var tunedSetUps = sync.OnceValue(func() []rules.SetUp {
	b, err := luzhanqi.ReadBook(tunedText)
	if err != nil {
		panic("tuned.txt: " + err.Error())
	}
	return b.SetUps()
})

// tuned draws one of them with four pairs of pieces exchanged, so that who is tuned next is expected, too, if it is
// like them. Those that guard their flag are left to the other makers.
func tuned(r *rand.Rand) rules.SetUp {
	const exchanges = 4
	for {
		all := tunedSetUps()
		s := all[r.IntN(len(all))]
		for done := 0; done < exchanges; {
			if next, ok := exchanged(s, hiddeninfo.Homes[r.IntN(hiddeninfo.Pieces)], hiddeninfo.Homes[r.IntN(hiddeninfo.Pieces)]); ok {
				s = next
				done++
			}
		}
		if home, _ := likelihood.HomeOf(s); home == likelihood.Placed {
			return s
		}
	}
}

// exchanged lets the pieces of two squares change places, if they differ, neither is the flag, and the rules allow it.
func exchanged(s rules.SetUp, a, b game.Square) (rules.SetUp, bool) {
	if s.At(a) == s.At(b) || s.At(a) == rules.Flag || s.At(b) == rules.Flag {
		return s, false
	}
	var ranks [30]rules.Rank
	for sq := range ranks {
		ranks[sq] = s.At(game.Square(sq))
	}
	ranks[a], ranks[b] = ranks[b], ranks[a]
	next, err := rules.NewSetUp(ranks)
	return next, err == nil
}
