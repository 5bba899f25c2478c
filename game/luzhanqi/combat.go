package luzhanqi

// Result says how a combat ends on the square a piece moves to, from the mover's point of view.
type Result uint8

// The results.
const (
	Quiet     Result = iota // nobody was there
	Win                     // the defender is removed
	Loss                    // the attacker is removed
	Tie                     // both are removed
	FlagTaken               // the defender was the flag: the mover has won the game
)

var resultNames = [...]string{Quiet: "", Win: ">", Loss: "<", Tie: "=", FlagTaken: "flag"}

// String returns the oracle's sign: "", ">", "<", "=" or "flag".
func (r Result) String() string { return resultNames[r] }

func (r Result) MarshalText() ([]byte, error) { return []byte(r.String()), nil }

// AttackerFalls says whether the piece that moved was removed.
func (r Result) AttackerFalls() bool { return r == Loss || r == Tie }

// DefenderFalls says whether the piece that stood on the target was removed.
func (r Result) DefenderFalls() bool { return r == Win || r == Tie || r == FlagTaken }

// Combat decides between two pieces. The tests come in the order of the rules, which matters:
// a bomb takes the flag, and blows up a landmine even if landmines stay.
func Combat(attacker, defender Rank, minesStay bool) Result {
	switch {
	case defender == None:
		return Quiet
	case defender == Flag:
		return FlagTaken
	case attacker == Bomb || defender == Bomb:
		return Tie
	case defender == Landmine && attacker == Engineer:
		return Win
	case defender == Landmine && minesStay:
		return Loss
	case defender == Landmine || attacker == defender:
		return Tie
	case attacker > defender:
		return Win
	}
	return Loss
}

// fight is Combat worked out in advance, in the form in which Board.Play needs no branch:
// what stands on the target afterwards, and whose it is.
type fight struct {
	result        Result
	stands        Rank
	attackerStays uint8 // 0 or 1
	defenderStays uint8 // 0 or 1
}

// fights is indexed by minesStay, then by the codes of attacker and defender.
var fights = makeFights()

func makeFights() (table [2][rankCodes * rankCodes]fight) {
	for stay := range table {
		for i := range table[stay] {
			attacker, defender := Rank(i/rankCodes), Rank(i%rankCodes)
			if !attacker.valid() || defender != None && !defender.valid() {
				continue
			}
			f := fight{result: Combat(attacker, defender, stay == 1)}
			switch f.result {
			case Quiet, Win, FlagTaken:
				f.stands, f.attackerStays = attacker, 1
			case Loss:
				f.stands, f.defenderStays = defender, 1
			}
			table[stay][i] = f
		}
	}
	return table
}
