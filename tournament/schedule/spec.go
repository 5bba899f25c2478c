package schedule

import (
	"fmt"
	"math"
	"slices"
	"strings"
)

// Format is a kind of tournament.
type Format uint8

// The formats.
const (
	Match      Format = iota // two players
	RoundRobin               // everybody against everybody
	Gauntlet                 // the challengers against all others
	Swiss                    // rounds of players with like scores
	Knockout                 // the loser is out
)

var formatNames = [...]string{Match: "match", RoundRobin: "round-robin", Gauntlet: "gauntlet", Swiss: "swiss", Knockout: "knockout"}

func (f Format) String() string {
	if int(f) >= len(formatNames) {
		return fmt.Sprintf("format(%d)", uint8(f))
	}
	return formatNames[f]
}

// ParseFormat reads a name.
func ParseFormat(text string) (Format, error) {
	for f, name := range formatNames {
		if name == text {
			return Format(f), nil
		}
	}
	return 0, fmt.Errorf("format %.30q: allowed are %s", text, strings.Join(formatNames[:], ", "))
}

// The bounds of a tournament.
const (
	MaxGames        = 10_000_000
	MaxPlayers      = 10_000
	MaxSwissPlayers = 500 // the exact pairing of a round takes time with the cube of the players
	MaxSwissRounds  = 1_000
	MaxReplays      = 100
)

// Spec describes a schedule.
type Spec struct {
	Format  Format
	Players int
	// Games is the number of games of an encounter, the meeting of two players in one round. They are
	// played in pairs: the players swap seats, on the same seed.
	Games int
	// Odd allows an odd number of games: the last has no partner, and the seats of the encounters are
	// balanced as far as that goes.
	Odd         bool
	Cycles      int   // of a round robin or a gauntlet: how often each encounter takes place; zero for the others
	Challengers []int // of a gauntlet; they do not meet each other
	Rounds      int   // of a Swiss
	// Rematches allows more Swiss rounds than there are opponents. Without it, too, players meet again
	// if no pairing of a round avoids it.
	Rematches bool
	// Replays is how many further pairs a tied encounter of a knockout is given, one by one. After the
	// last the earlier seed goes on.
	Replays int
	// Growing makes a match, a round robin or a gauntlet of which no game moves when players are added behind the others, or
	// games. Without it games are named as they were by earlier versions.
	Growing bool
	Seeds   Seeds // how those of games are made
	Drawn   bool  // the seeds of a Swiss or a knockout are drawn instead of in the order of entry
	Seed    uint64
}

// Seeds is how the seeds of games are made of the tournament's. Who goes on with what an earlier version began makes them as that did.
type Seeds uint8

// The kinds.
const (
	// Hidden seeds say nothing of each other, nor of the tournament's: who has seen games that are over knows nothing of those to
	// come. They have 53 bits, which every reader of records can hold.
	Hidden Seeds = iota
	Mixed        // of 53 bits: the tournament's can be worked out from two of them
	Wide         // of 63 bits, which JavaScript and jq round
)

// SpecError is the error of [New] for a spec that makes no tournament.
type SpecError struct {
	Field string // of Spec
	Err   error
}

func (e *SpecError) Error() string { return e.Err.Error() }

func (e *SpecError) Unwrap() error { return e.Err }

func refuse(field, format string, args ...any) error {
	return &SpecError{field, fmt.Errorf(format, args...)}
}

// check says what is wrong first.
func (s Spec) check() error {
	if int(s.Format) >= len(formatNames) {
		return refuse("Format", "%v: allowed are %s", s.Format, strings.Join(formatNames[:], ", "))
	}
	if s.Growing && !s.Format.Grows() {
		return refuse("Format", "a %v cannot grow", s.Format)
	}
	for _, check := range []func(Spec) error{Spec.checkPlayers, Spec.checkGames, Spec.checkCycles, Spec.checkChallengers, Spec.checkRounds, Spec.checkSeeds} {
		if err := check(s); err != nil {
			return err
		}
	}
	if _, maxGames := s.size(); maxGames > MaxGames {
		return refuse("Games", "%v of %d players would have more games than the %d that are allowed", s.Format, s.Players, MaxGames)
	}
	return nil
}

func (s Spec) checkPlayers() error {
	switch {
	case s.Players < 2:
		return refuse("Players", "%d players: allowed are 2 or more", s.Players)
	case s.Format == Match && s.Players != 2:
		return refuse("Players", "%d players: a match has 2", s.Players)
	case s.Format == Swiss && s.Players > MaxSwissPlayers:
		return refuse("Players", "%d players: a Swiss has at most %d", s.Players, MaxSwissPlayers)
	case s.Players > MaxPlayers:
		return refuse("Players", "%d players: allowed are at most %d", s.Players, MaxPlayers)
	}
	return nil
}

func (s Spec) checkGames() error {
	switch {
	case s.Games < 1:
		return refuse("Games", "%d games for each encounter: allowed are 2 or more", s.Games)
	case s.Games%2 == 1 && !s.Odd:
		return refuse("Games", "%d games for each encounter: allowed are even numbers, so that both players have each seat equally often, unless odd numbers are allowed expressly", s.Games)
	}
	return nil
}

func (s Spec) checkCycles() error {
	cyclic := s.Format == RoundRobin || s.Format == Gauntlet
	switch {
	case cyclic && s.Cycles < 1:
		return refuse("Cycles", "%d cycles: allowed are 1 or more", s.Cycles)
	case !cyclic && s.Cycles != 0:
		return refuse("Cycles", "%d cycles: a %v has none", s.Cycles, s.Format)
	}
	return nil
}

func (s Spec) checkChallengers() error {
	switch {
	case s.Format != Gauntlet && len(s.Challengers) > 0:
		return refuse("Challengers", "%d challengers: only a gauntlet has any", len(s.Challengers))
	case s.Format != Gauntlet:
		return nil
	case len(s.Challengers) == 0:
		return refuse("Challengers", "no challenger: a gauntlet has one or more, who play against all others")
	case len(s.Challengers) >= s.Players:
		return refuse("Challengers", "%d challengers of %d players: they do not meet each other, so there must be others", len(s.Challengers), s.Players)
	}
	seen := map[int]bool{}
	for _, h := range s.Challengers {
		if h < 0 || h >= s.Players {
			return refuse("Challengers", "challenger %d: allowed are 0 to %d", h, s.Players-1)
		}
		if seen[h] {
			return refuse("Challengers", "challenger %d is given twice", h)
		}
		seen[h] = true
	}
	return nil
}

func (s Spec) checkRounds() error {
	// With an odd number of players each can meet all others and have one bye.
	fresh := s.Players - 1 + s.Players%2
	switch {
	case s.Format != Swiss && (s.Rounds != 0 || s.Rematches):
		return refuse("Rounds", "%d rounds, rematches %t: only a Swiss has these", s.Rounds, s.Rematches)
	case s.Format != Swiss:
		return nil
	case s.Rounds < 1 || s.Rounds > MaxSwissRounds:
		return refuse("Rounds", "%d rounds: allowed are 1 to %d", s.Rounds, MaxSwissRounds)
	case s.Rounds > fresh && !s.Rematches:
		return refuse("Rounds", "%d rounds of %d players: they would meet again after %d, which must be allowed expressly", s.Rounds, s.Players, fresh)
	}
	return nil
}

func (s Spec) checkSeeds() error {
	switch {
	case s.Format != Knockout && s.Replays != 0:
		return refuse("Replays", "%d replays: only a knockout has any", s.Replays)
	case s.Replays < 0 || s.Replays > MaxReplays:
		return refuse("Replays", "%d replays: allowed are 0 to %d", s.Replays, MaxReplays)
	case s.Drawn && s.Format != Knockout && s.Format != Swiss:
		return refuse("Drawn", "drawn seeds: a %v has no seeds", s.Format)
	}
	return nil
}

// size counts the games; MaxGames+1 stands for all greater numbers.
func (s Spec) size() (minGames, maxGames int) {
	n := s.Players
	switch s.Format {
	case RoundRobin:
		minGames = product(s.Games, s.Cycles, n*(n-1)/2)
	case Gauntlet:
		minGames = product(s.Games, s.Cycles, len(s.Challengers)*(n-len(s.Challengers)))
	case Swiss:
		minGames = product(s.Games, s.Rounds, n/2)
	case Knockout:
		minGames = product(s.Games, n-1)
		return minGames, min(minGames+2*s.Replays*(n-1), MaxGames+1)
	default:
		minGames = product(s.Games)
	}
	return minGames, minGames
}

// product multiplies positive numbers, up to MaxGames+1.
func product(factors ...int) int {
	p := 1
	for _, f := range factors {
		if f > MaxGames/p {
			return MaxGames + 1
		}
		p *= f
	}
	return p
}

// shape is the number of rounds, and of pairs in the greatest of them.
func (s Spec) shape() (rounds, pairs int) {
	n, each := s.Players, (s.Games+1)/2
	switch s.Format {
	case RoundRobin:
		return s.Cycles * (n - 1 + n%2), n / 2 * each
	case Gauntlet:
		others := n - len(s.Challengers)
		return s.Cycles * max(len(s.Challengers), others), min(len(s.Challengers), others) * each
	case Swiss:
		return s.Rounds, n / 2 * each
	case Knockout:
		return int(math.Ceil(math.Log2(float64(n)))), n / 2 * (each + s.Replays)
	default:
		return 1, each
	}
}

// others are the players that are no challengers.
func (s Spec) others() []int {
	var others []int
	for i := range s.Players {
		if !slices.Contains(s.Challengers, i) {
			others = append(others, i)
		}
	}
	return others
}
