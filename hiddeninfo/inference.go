package hiddeninfo

import "luzhanqi/game/luzhanqi"

// Role is the part of a hidden piece in a combat.
type Role uint8

// The roles.
const (
	Attacked Role = iota // it moved onto the other piece
	Defended             // it stood where the other piece moved
)

const results = int(luzhanqi.FlagTaken) + 1

// inferences is the rules of combat read backwards: by whether mines stay, the hidden piece's role,
// the result and the known rank.
var inferences = makeInferences()

func makeInferences() (table [2][2][results][rankCodes]Mask) {
	for stay := range table {
		for _, known := range luzhanqi.Ranks {
			for _, hidden := range luzhanqi.Ranks {
				if hidden.Moves() {
					table[stay][Attacked][luzhanqi.Combat(hidden, known, stay == 1)][known] |= Only(hidden)
				}
				table[stay][Defended][luzhanqi.Combat(known, hidden, stay == 1)][known] |= Only(hidden)
			}
		}
	}
	return table
}

// Inference returns the ranks that a hidden piece can have after a combat with a piece of known rank. The
// result is the attacker's, whoever that is; nothing is left if the rules allow no such combat.
func Inference(role Role, known luzhanqi.Rank, result luzhanqi.Result, minesStay bool) Mask {
	if int(result) >= results || role > Defended {
		return 0
	}
	stay := 0
	if minesStay {
		stay = 1
	}
	return inferences[stay][role][result][known&15]
}
