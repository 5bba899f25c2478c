package luzhanqi

// Rank is the kind of a piece. The numbers are four-bit codes, one bit for each plane of a Board,
// chosen so that the sets asked for most cost little: the pieces that never move have bits 3 and 2.
type Rank uint8

// The ranks. A higher number beats a lower one among 1 to 9.
const (
	None Rank = iota // no piece
	Engineer
	Lieutenant
	Captain
	Major
	Colonel
	BrigadierGeneral
	MajorGeneral
	General
	FieldMarshal
	Bomb
	_
	Landmine
	Flag

	rankCodes = 16 // every four-bit number
)

// Ranks are all ranks but None, the highest first.
var Ranks = [...]Rank{
	FieldMarshal, General, MajorGeneral, BrigadierGeneral, Colonel, Major, Captain, Lieutenant,
	Engineer, Bomb, Landmine, Flag,
}

// ArmySize is the number of pieces of one side at the start.
const ArmySize = 25

var rankTable = [rankCodes]struct {
	letter  byte
	count   int
	english string
	chinese string
}{
	FieldMarshal:     {'9', 1, "field marshal", "司令"},
	General:          {'8', 1, "general", "軍長"},
	MajorGeneral:     {'7', 2, "major general", "師長"},
	BrigadierGeneral: {'6', 2, "brigadier general", "旅長"},
	Colonel:          {'5', 2, "colonel", "團長"},
	Major:            {'4', 2, "major", "營長"},
	Captain:          {'3', 3, "captain", "連長"},
	Lieutenant:       {'2', 3, "lieutenant", "排長"},
	Engineer:         {'1', 3, "engineer", "工兵"},
	Bomb:             {'B', 2, "bomb", "炸彈"},
	Landmine:         {'L', 3, "landmine", "地雷"},
	Flag:             {'F', 1, "flag", "軍旗"},
}

// Letter returns the rank as programs write it: '1' to '9', 'B', 'L' or 'F'; zero for None.
func (r Rank) Letter() byte { return rankTable[r&15].letter }

// String returns the English name, such as "field marshal".
func (r Rank) String() string {
	if !r.valid() {
		return "no piece"
	}
	return rankTable[r].english
}

// Chinese returns the name in traditional characters, such as 司令; "" for None.
func (r Rank) Chinese() string { return rankTable[r&15].chinese }

// Count returns how many pieces of the rank an army begins with.
func Count(r Rank) int { return rankTable[r&15].count }

// Moves says whether pieces of the rank can ever move.
func (r Rank) Moves() bool { return r != None && r < Landmine }

func (r Rank) valid() bool { return r < rankCodes && rankTable[r].letter != 0 }
