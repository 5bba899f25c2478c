package rating

// Result is the result of one game of a match, from the first player's side.
type Result uint8

// The results.
const (
	Void Result = iota // does not count; the game will be played again
	Loss
	Draw
	Win
)

func (r Result) String() string {
	return [...]string{Void: "void", Loss: "loss", Draw: "draw", Win: "win"}[r]
}

// Swapped is the result from the other player's side.
func (r Result) Swapped() Result {
	if r == Void {
		return Void
	}
	return Loss + Win - r
}

// Points are what the result is worth to the first player; a void game is worth nothing to anybody.
func (r Result) Points() float64 { return float64(max(r, Loss)-Loss) / 2 }

// Tally collects the results of games in pairs. The zero value is ready. It holds counts and the games that wait for
// the other of their pair.
type Tally struct {
	games   Games
	pairs   Pairs
	waiting map[int]Result // by pair
}

// Add counts a game of a pair; games may end in any order, and each result that counts must be added once. It
// says whether the game has completed its pair.
func (t *Tally) Add(pair int, r Result) (paired bool) {
	switch r {
	case Win:
		t.games.Wins++
	case Draw:
		t.games.Draws++
	case Loss:
		t.games.Losses++
	default:
		return false
	}
	other, found := t.waiting[pair]
	if !found {
		if t.waiting == nil {
			t.waiting = map[int]Result{}
		}
		t.waiting[pair] = r
		return false
	}
	delete(t.waiting, pair)
	t.pairs[other-Loss+r-Loss]++
	return true
}

// Games are all games that count.
func (t *Tally) Games() Games { return t.games }

// Pairs are the pairs of which both games count.
func (t *Tally) Pairs() Pairs { return t.pairs }

// Counts is the best evidence there is: the pairs, or as long as there are none, the games.
func (t *Tally) Counts() Counts {
	if t.pairs.Total() > 0 {
		return t.pairs
	}
	return t.games
}
