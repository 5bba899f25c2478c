package rating

import "fmt"

// Courses counts the games that went differently. The zero value is ready.
type Courses struct {
	games   int
	unknown int // that do not say how they went
	seen    map[string]bool
}

// Add counts a game by how it went; empty: that is not known.
func (c *Courses) Add(course string) {
	c.games++
	if course == "" {
		c.unknown++
		return
	}
	if c.seen == nil {
		c.seen = map[string]bool{}
	}
	c.seen[course] = true
}

// Distinct is how many went differently, of those of which it is known.
func (c *Courses) Distinct() Distinct {
	return Distinct{Games: c.games - c.unknown, Distinct: len(c.seen), Unknown: c.unknown}
}

// Distinct says how many of so many games went differently.
type Distinct struct {
	Games    int // of which it is known
	Distinct int
	Unknown  int // of which it is not
}

// Repeats says whether any game went as another.
func (d Distinct) Repeats() bool { return d.Distinct < d.Games }

func (d Distinct) String() string {
	text := fmt.Sprintf("%d of %d games went differently", d.Distinct, d.Games)
	if d.Unknown > 0 {
		text += fmt.Sprintf(", of %d more it is not known", d.Unknown)
	}
	return text
}
