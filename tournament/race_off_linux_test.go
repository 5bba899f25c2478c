//go:build !race

package tournament

const raced = false
