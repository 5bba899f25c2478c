package main

import "strings"

// spoiling builds an illegal set-up from a legal one: each pair is an entry and what stands in its place, "" for nothing.
// All of them start from setUps[0], so that the only fault is the one in the mode's name.
func spoiling(pairs ...string) act {
	return func(p *player, _ int) reply {
		p.setUpNumber = 0
		p.setUp()
		layout := p.layout
		for i := 0; i < len(pairs); i += 2 {
			if !strings.Contains(layout, pairs[i]) {
				panic("no " + pairs[i] + " in the set-up")
			}
			layout = strings.Replace(layout, pairs[i], pairs[i+1], 1)
		}
		p.raw(setUpExpression(strings.Fields(layout)) + "\n")
		return answered
	}
}

// saying sends a fixed text and a newline.
func saying(text string) act {
	return func(p *player, _ int) reply {
		p.setUp() // the game may go on
		p.raw(text + "\n")
		return answered
	}
}

func lowercase(honest string) string { return strings.ToLower(honest) + "\n" }
