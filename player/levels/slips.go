package levels

import (
	"fmt"

	"luzhanqi/game"
	"luzhanqi/player"
)

// slips are how many of a hundred moves are random in the levels that stand before the one that they are made of, so that
// neighbours score between 65 and 85 %; player/README.md has the measurements.
var slips = map[string]map[string][]int{
	"luzhanqi": {"greedy": {80, 50}, "easy": {30}},
	"jungle":   {"greedy": {75, 55, 30}},
	"quagmire": {"easy": {85, 70, 50, 27}},
	"gastank":  {"greedy": {83, 55, 30, 12}},
	"chess1d":  {"medium": {20}},
}

// withSlips puts the levels that slip before those that they are made of.
func withSlips(g game.Game, sure []player.Level) (all []player.Level) {
	for _, l := range sure {
		for _, percent := range slips[g.Name()][l.Name] {
			rung := player.Slipping(l, percent)
			rung.Name = fmt.Sprintf("%s-slip%d", l.Name, percent)
			rung.Summary = fmt.Sprintf("%s, but %d of 100 moves are any legal move", l.Name, percent)
			all = append(all, rung)
		}
		all = append(all, l)
	}
	return all
}
