// Package chance gives programs the chance of a game.
package chance

import (
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"

	"luzhanqi/process"
)

// SeedWord stands for the game's seed in a program's command line and environment.
const SeedWord = "{seed}"

// ProgramSeed is what programs read for SeedWord in a game: the same at both seats and in both games of a pair, and another in
// every pair. It has at most 53 bits, which every language can read.
func ProgramSeed(seed uint64, number int) uint64 {
	return rand.New(rand.NewPCG(^seed, uint64((number-1)/2)<<2|3)).Uint64() >> 11
}

// Seeded is a command with a seed for each SeedWord in its arguments and the environment that is added to it.
func Seeded(c process.Command, seed uint64) process.Command {
	changed := false
	put := func(words []string) []string {
		if !slices.ContainsFunc(words, func(word string) bool { return strings.Contains(word, SeedWord) }) {
			return words
		}
		changed = true
		all := make([]string, len(words))
		for i, word := range words {
			all[i] = strings.ReplaceAll(word, SeedWord, strconv.FormatUint(seed, 10))
		}
		return all
	}
	c.Args, c.Env = put(c.Args), put(c.Env)
	if changed {
		c.Ready = nil // nothing that is made ready for this game would serve the next
	}
	return c
}
