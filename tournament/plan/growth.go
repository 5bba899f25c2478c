package plan

import (
	"crypto/sha256"
	"encoding/hex"
	"regexp"
	"strconv"
	"strings"
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

// Wide is the canonical text as versions wrote it whose games had seeds of 63 bits.
func Wide(text string) string { return without(text, "seed_bits") }

// Former is the canonical text as versions before growing schedules wrote it.
func Former(text string) string { return without(Wide(text), "schedule") }

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
