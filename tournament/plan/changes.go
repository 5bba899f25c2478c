package plan

import (
	"fmt"
	"strings"
)

// Change is a key that two plans have with different values, or only one has.
type Change struct{ Key, Was, Is string }

func (c Change) String() string {
	switch {
	case c.Was == "":
		return fmt.Sprintf("%s: new, %s", c.Key, c.Is)
	case c.Is == "":
		return fmt.Sprintf("%s: gone, was %s", c.Key, c.Was)
	}
	return fmt.Sprintf("%s: was %s, is %s", c.Key, c.Was, c.Is)
}

// Changes compares the canonical texts of two plans, in the order of the new one, what is gone last.
func Changes(was, is string) (all []Change) {
	before, order := values(was)
	after, now := values(is)
	for _, key := range now {
		if before[key] != after[key] {
			all = append(all, Change{key, before[key], after[key]})
		}
	}
	for _, key := range order {
		if _, still := after[key]; !still {
			all = append(all, Change{key, before[key], ""})
		}
	}
	return all
}

// values are those of a canonical text, by key, and the keys in order. A line that has no value is one
// itself, so that nothing is overlooked in a text from elsewhere.
func values(text string) (values map[string]string, order []string) {
	values = map[string]string{}
	for line := range strings.Lines(text) {
		key, value, ok := strings.Cut(strings.TrimSuffix(line, "\n"), " = ")
		if !ok {
			value = "an unknown line"
		}
		if _, twice := values[key]; !twice {
			order = append(order, key)
		}
		values[key] = value
	}
	return values, order
}
