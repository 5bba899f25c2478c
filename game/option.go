package game

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
)

// Option is a rule that can be chosen by name.
type Option struct {
	Name    string
	Help    string
	Allowed []string // the values, the default first; "word:N" stands for word, a colon and a whole number from 1 to 1000
}

// Default returns the value that holds when nothing is said.
func (o Option) Default() string { return o.Allowed[0] }

func (o Option) check(value string) error {
	for _, allowed := range o.Allowed {
		if value == allowed && !strings.HasSuffix(allowed, ":N") {
			return nil
		}
		if word, ok := strings.CutSuffix(allowed, "N"); ok && strings.HasSuffix(word, ":") {
			if digits, ok := strings.CutPrefix(value, word); ok && parseCount(digits) > 0 {
				return nil
			}
		}
	}
	allowed := strings.Join(o.Allowed, ", ")
	if strings.Contains(allowed, ":N") {
		allowed += " with N from 1 to 1000"
	}
	return fmt.Errorf("rule %s=%s: allowed are %s", o.Name, value, allowed)
}

// parseCount reads a whole number from 1 to 1000; zero: it is none.
func parseCount(digits string) int {
	n, err := strconv.ParseUint(digits, 10, 16)
	if err != nil || n > 1000 {
		return 0
	}
	return int(n)
}

// Rules are the chosen options by name. Every option has a value; make them with ParseRules.
type Rules map[string]string

// ParseRules reads "name=value,name=value"; an option that is not named has its default.
func ParseRules(text string, options []Option) (Rules, error) {
	rules := Rules{}
	for _, o := range options {
		rules[o.Name] = o.Default()
	}
	if text == "" {
		return rules, nil
	}
	seen := map[string]bool{}
	for item := range strings.SplitSeq(text, ",") {
		name, value, ok := strings.Cut(strings.TrimSpace(item), "=")
		at := slices.IndexFunc(options, func(o Option) bool { return o.Name == name })
		if !ok || at < 0 {
			return nil, fmt.Errorf("rule %q: allowed are %s", item, allowed(options))
		}
		if seen[name] {
			return nil, fmt.Errorf("rule %s is given twice", name)
		}
		seen[name] = true
		if err := options[at].check(value); err != nil {
			return nil, err
		}
		rules[name] = value
	}
	return rules, nil
}

func allowed(options []Option) string {
	if len(options) == 0 {
		return "none (this game has no options)"
	}
	var all []string
	for _, o := range options {
		all = append(all, o.Name+"="+strings.Join(o.Allowed, "|"))
	}
	return strings.Join(all, ", ")
}

// Count returns N of a rule whose value is "word:N", and zero for any other value.
func (r Rules) Count(name, word string) int {
	digits, _ := strings.CutPrefix(r[name], word+":")
	return parseCount(digits)
}

// String writes the rules as ParseRules reads them, sorted by name.
func (r Rules) String() string {
	var all []string
	for _, name := range slices.Sorted(maps.Keys(r)) {
		all = append(all, name+"="+r[name])
	}
	return strings.Join(all, ",")
}
