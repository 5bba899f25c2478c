package main

import (
	_ "embed"
	"fmt"
	"math/rand/v2"
	"strings"

	"luzhanqi/game"
	rules "luzhanqi/game/luzhanqi"
	"luzhanqi/hiddeninfo"
	"luzhanqi/player/luzhanqi"
	"luzhanqi/player/luzhanqi/likelihood"
)

// tunedText are the set-ups of rushers that were tuned against strong or the frozen level: what a tuner finds is what
// the other makers do not expect, such as landmines where no flag is. A paragraph is a kin: those of which one was tuned
// from another and looks like it, all with their landmines the same way round; but for the last, of those that were tuned
// against the frozen level, who look like nobody. They are copies, so that makers.txt can be made again when a style is tuned
// anew.
//
//go:embed tuned.txt
var tunedText string

// tunedShare is that of all kins together, each of which has as much as another.
const tunedShare = 0.20

// kins are the set-ups of each.
func kins() (all [][]rules.SetUp) {
	for i, text := range strings.Split(tunedText, "\n\n") {
		b, err := luzhanqi.ReadBook(text)
		if err != nil {
			panic(fmt.Sprintf("tuned.txt: paragraph %d: %v", i+1, err))
		}
		all = append(all, b.SetUps())
	}
	return all
}

// tuned are the kins as makers. They are several, for what two of them have in common is nothing but chance, and
// what one square of a kin says of another is much.
func tuned() (all []maker) {
	found := kins()
	for i, kin := range found {
		draw := func(r *rand.Rand) rules.SetUp { return alike(r, kin) }
		all = append(all, maker{fmt.Sprint("tuned", i+1), tunedShare / float64(len(found)), []func(*rand.Rand) rules.SetUp{draw}, true})
	}
	return all
}

// alike draws one of a kin with four pairs of pieces exchanged, and every fourth time what stands in the two headquarters, so
// that who is tuned next is expected, too, if it is like them. Those that guard their flag are left to the other makers.
func alike(r *rand.Rand, kin []rules.SetUp) rules.SetUp {
	const exchanges, flagStays = 4, 3
	for {
		s := kin[r.IntN(len(kin))]
		if r.IntN(flagStays+1) == flagStays {
			s = otherFlag(s)
		}
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
	next, err := changed(s, a, b)
	return next, err == nil
}

// otherFlag lets what stands in the two headquarters change places.
func otherFlag(s rules.SetUp) rules.SetUp {
	next, err := changed(s, 1, 3)
	if err != nil {
		panic(err) // the rules say nothing of one headquarters that they do not say of the other
	}
	return next
}

func changed(s rules.SetUp, a, b game.Square) (rules.SetUp, error) {
	var ranks [30]rules.Rank
	for sq := range ranks {
		ranks[sq] = s.At(game.Square(sq))
	}
	ranks[a], ranks[b] = ranks[b], ranks[a]
	return rules.NewSetUp(ranks)
}
