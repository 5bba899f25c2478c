package plan

import (
	"crypto/sha256"
	"encoding/hex"
	"regexp"
	"strconv"
	"strings"

	"luzhanqi/tournament/schedule"
)

// Grown says whether a plan, by the canonical texts, only adds to another: players behind those that are there, or games or cycles. What was
// played of the other then belongs to it, and is not played again.
func Grown(was, is string) bool {
	before, _ := values(was)
	after, _ := values(is)
	if before["schedule"] != strconv.Itoa(growing) || after["schedule"] != before["schedule"] {
		return false
	}
	players := 0
	for key := range before {
		if n := playerOf(key); n > players {
			players = n
		}
	}
	for _, change := range Changes(was, is) {
		switch {
		case change.Key == "games" || change.Key == "cycles":
		case playerOf(change.Key) > players && change.Was == "":
		default:
			return false
		}
	}
	games, cycles := number(before["games"]), number(before["cycles"])
	moreGames, moreCycles := number(after["games"]), number(after["cycles"])
	if games%2 == 1 || moreGames%2 == 1 { // the last game of a cycle has no partner, and its place depends on how many there are
		return games == moreGames && cycles <= moreCycles
	}
	return games*max(1, cycles) <= moreGames*max(1, moreCycles)
}

var playerKeyIn = regexp.MustCompile(`^player\.([0-9]+)\.`)

// playerOf is the number of the player whom a key of a canonical text concerns; 0: none.
func playerOf(key string) int {
	found := playerKeyIn.FindStringSubmatch(key)
	if found == nil {
		return 0
	}
	return number(found[1])
}

func number(text string) int {
	n, _ := strconv.Atoi(text)
	return n
}

// Begun is the canonical text as the version wrote it that wrote another one, and how it made the seeds of games.
func Begun(text, by string) (string, schedule.Seeds) {
	is, _ := values(by)
	switch {
	case is["seed_bits"] == "":
		return without(without(text, "seeds"), "seed_bits"), schedule.Wide
	case is["seeds"] == "":
		return without(text, "seeds"), schedule.Mixed
	}
	return text, schedule.Hidden
}

// Former is the canonical text as versions before growing schedules wrote it, whose seeds were wide.
func Former(text string) string { return without(text, "schedule") }

// SeedIn is the seed that a canonical text names; false: none.
func SeedIn(text string) (uint64, bool) {
	is, _ := values(text)
	n, err := strconv.ParseUint(is["seed"], 10, 64)
	return n, err == nil
}

// without is a canonical text without a key.
func without(text, key string) string {
	var kept strings.Builder
	for line := range strings.Lines(text) {
		if !strings.HasPrefix(line, key+" = ") {
			kept.WriteString(line)
		}
	}
	return kept.String()
}

// Digest is the fingerprint of a canonical text.
func Digest(text string) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:])
}
