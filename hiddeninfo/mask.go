package hiddeninfo

import (
	"math/bits"

	"luzhanqi/game/luzhanqi"
)

// Mask is a set of ranks: bit n stands for the rank with code n.
type Mask uint16

const rankCodes = 16 // every four-bit number, of which twelve are ranks

// Sets of ranks that the rules name.
const (
	// Movers are the ranks that can move: 9 to 1 and the bomb.
	Movers Mask = 1<<luzhanqi.FieldMarshal | 1<<luzhanqi.General | 1<<luzhanqi.MajorGeneral |
		1<<luzhanqi.BrigadierGeneral | 1<<luzhanqi.Colonel | 1<<luzhanqi.Major | 1<<luzhanqi.Captain |
		1<<luzhanqi.Lieutenant | 1<<luzhanqi.Engineer | 1<<luzhanqi.Bomb
	// AnyRank is no knowledge at all.
	AnyRank Mask = Movers | 1<<luzhanqi.Landmine | 1<<luzhanqi.Flag
)

// Only returns the set of one rank.
func Only(rank luzhanqi.Rank) Mask { return 1 << (rank & 15) & AnyRank }

// Has says whether rank is in the set.
func (m Mask) Has(rank luzhanqi.Rank) bool { return m>>(rank&15)&1 != 0 }

// Len returns the number of ranks in the set.
func (m Mask) Len() int { return bits.OnesCount16(uint16(m)) }

// first returns the rank with the lowest code; the set must not be empty.
func (m Mask) first() luzhanqi.Rank { return luzhanqi.Rank(bits.TrailingZeros16(uint16(m))) }

// String writes the ranks' letters, the highest first, such as "98B".
func (m Mask) String() string {
	var letters []byte
	for _, rank := range luzhanqi.Ranks {
		if m.Has(rank) {
			letters = append(letters, rank.Letter())
		}
	}
	return string(letters)
}
