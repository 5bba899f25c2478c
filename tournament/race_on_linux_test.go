//go:build race

package tournament

// raced: the race detector makes every process that is started again so slow that kills hit little else.
const raced = true
