//go:build !race

package serve

// raced: processor time, memory and delays are those of the race detector.
const raced = false
