package main

import (
	"maps"
	"slices"
	"strconv"
	"strings"

	"luzhanqi/player/luzhanqi"
	"luzhanqi/player/luzhanqi/likelihood"
	"luzhanqi/player/luzhanqi/network"
)

// changes are what strong is measured with: each changes one thing in it.
var changes = map[string]func(*luzhanqi.Style){
	"oracle":       func(s *luzhanqi.Style) { s.Worlds, s.Most, s.Beliefs = 1, 0, false }, // and it is shown the truth
	"quick":        func(s *luzhanqi.Style) { s.Policy, s.Rushes = nil, true },            // playouts by the quick policy
	"nolessons":    func(s *luzhanqi.Style) { s.Learns = false },
	"oldbook":      func(s *luzhanqi.Style) { s.SetUps = luzhanqi.FromBookF665184 },
	"x4":           func(*luzhanqi.Style) {}, // four times as many positions
	"x16":          func(*luzhanqi.Style) {},
	"asinbook":     func(s *luzhanqi.Style) { s.SetUps = luzhanqi.AsInBook },
	"nomates":      func(s *luzhanqi.Style) { s.Mates = false },
	"handmade":     func(s *luzhanqi.Style) { s.Network = nil },
	"oldnetwork":   func(s *luzhanqi.Style) { s.Network = network.F665184 },
	"blind":        func(s *luzhanqi.Style) { s.Beliefs = false },
	"nohabits":     func(s *luzhanqi.Style) { s.Trust = s.Trust.WithLikelihoods(0) },
	"noprior":      func(s *luzhanqi.Style) { s.Trust.Prior = 0 },
	"noopinion":    func(s *luzhanqi.Style) { s.Trust = likelihood.Trust{} },
	"reserved":     func(s *luzhanqi.Style) { s.Trust.Likelihoods, s.Trust.Strangers, s.Trust.Doubt = 0.8, 0, 0 }, // as strong was before strangers had habits
	"endonly":      func(s *luzhanqi.Style) { s.Halfway = false },
	"onelength":    func(s *luzhanqi.Style) { s.Begin = 0 },
	"impatient":    func(s *luzhanqi.Style) { s.Passive = false },
	"nostorms":     func(s *luzhanqi.Style) { s.Storms = 0 },
	"nobook":       func(s *luzhanqi.Style) { s.SetUps = luzhanqi.ByRows },
	"long":         func(s *luzhanqi.Style) { s.Worlds, s.Most, s.Begin, s.Foretelling = 512, 0, 0, nil },
	"raw":          func(s *luzhanqi.Style) { s.Foretelling = nil },
	"long-f665184": func(s *luzhanqi.Style) { *s = luzhanqi.F665184; s.Worlds = 512 },
	"nomakers": func(s *luzhanqi.Style) {
		s.Trust, s.Learned = luzhanqi.F665184.Trust, luzhanqi.F665184.Learned
	},
	"timid":      func(s *luzhanqi.Style) { s.Boldness = 0 },
	"alwaysfull": func(s *luzhanqi.Style) { s.Full = 0 },
	"denser":     func(s *luzhanqi.Style) { s.Worlds *= 2 },
	"onegate":    func(s *luzhanqi.Style) { s.Gates, s.FlagOdds = false, false },
}

// numbered are changes to a number, which follows the name, as in plies9.
var numbered = map[string]struct {
	least, most int
	change      func(*luzhanqi.Style, int)
}{
	"plies":  {1, mostPlies, func(s *luzhanqi.Style, n int) { s.Plies, s.Full = n, 0 }}, // whatever the budget
	"begin":  {0, mostPlies, func(s *luzhanqi.Style, n int) { s.Begin = n }},            // with few positions less, unless plies says how many
	"storms": {0, 16, func(s *luzhanqi.Style, n int) { s.Storms = n }},
	"worlds": {1, 4096, func(s *luzhanqi.Style, n int) { s.Worlds, s.Most = n, 0 }}, // whatever the budget
	// Exponents, in hundredths.
	"prior":     {0, mostExponent, func(s *luzhanqi.Style, n int) { s.Trust.Prior = float64(n) / 100 }},
	"moves":     {0, mostExponent, func(s *luzhanqi.Style, n int) { s.Trust.Likelihoods = float64(n) / 100 }},
	"strangers": {0, mostExponent, func(s *luzhanqi.Style, n int) { s.Trust.Strangers = float64(n) / 100 }},
	// In hundredths, too.
	"doubt": {0, 100 * mostDoubt, func(s *luzhanqi.Style, n int) { s.Trust.Doubt = float64(n) / 100 }},
}

const mostExponent = 400

// changed is strong with the changes of a variant, which are joined by +; strong itself has none.
func changed(name string) (s luzhanqi.Style, all []string, ok bool) {
	s = luzhanqi.Strong
	if name == "strong" {
		return s, nil, true
	}
	all = strings.Split(name, "+")
	for _, c := range all {
		if change, ok := changes[c]; ok {
			change(&s)
			continue
		}
		word := strings.TrimRight(c, "0123456789")
		n, err := strconv.Atoi(c[len(word):])
		change, ok := numbered[word]
		if err != nil || !ok || strconv.Itoa(n) != c[len(word):] || n < change.least || n > change.most {
			return s, nil, false
		}
		change.change(&s, n)
	}
	return s, all, true
}

// changesAllowed says what there is.
func changesAllowed() string {
	all := slices.Sorted(maps.Keys(changes))
	for _, word := range slices.Sorted(maps.Keys(numbered)) {
		all = append(all, word+"N")
	}
	return strings.Join(all, ", ")
}
