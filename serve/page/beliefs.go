package page

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"luzhanqi/picture"
	"luzhanqi/player"
	"luzhanqi/serve/film"
)

// Thought is what the page of a game shows of beliefs.
type Thought struct {
	Address string                   // where they come from, without the side; empty: nowhere
	Known   map[string]*film.Beliefs // those that are in the page, by the side and f for facts or o for opinion
	Types   []player.Kind            // what pieces can be; nil: nothing is shown of beliefs
	Heat    string                   // the kind that is looked for; empty: none
	Square  string                   // of the piece whose kinds are listed; empty: none
	Opinion bool                     // not by what was observed alone
	Of      [2]*film.Beliefs         // by side, as far as they are shown at first
}

// Contained is a thought that is all in the page, of beliefs by facts and by opinion; none of opinion: they are left out.
func Contained(facts, opinion [2]*film.Beliefs) Thought {
	t := Thought{Known: map[string]*film.Beliefs{}, Types: facts[0].Kinds}
	for side := range facts {
		t.Known[fmt.Sprint(side+1)+"f"] = facts[side]
		if opinion[side] != nil {
			t.Known[fmt.Sprint(side+1)+"o"] = opinion[side]
		}
	}
	return t
}

// Opinions says whether there are beliefs by opinion.
func (t Thought) Opinions() bool { return t.Address != "" || t.Known["1o"] != nil }

// believed are the odds of the piece on a square, by those whose eyes look; nil: it is theirs, or nobody knows.
func (m Match) believed(p picture.Piece) []int {
	if p.Side == 0 {
		return nil
	}
	who := 2 - p.Side // as an index: the other side
	b := m.Thought.Of[who]
	if b == nil || m.Ply >= len(b.Plies) || m.Eyes != film.All && m.Eyes != [...]film.Eyes{film.First, film.Second}[who] {
		return nil
	}
	for _, o := range b.Plies[m.Ply] {
		if o.Square == p.Square {
			return o.Of
		}
	}
	return nil
}

// kinds are those that pieces can be.
func (m Match) kinds() (all []kind) {
	for i, k := range m.Types {
		all = append(all, kind{Number: i, Letter: k.Letter, Name: k.Name})
	}
	return all
}

// kind is a line of the table of beliefs.
type kind struct {
	Number       int
	Letter, Name string
	Percent      string
	Width        string // of the bar, of 100
}

// heat draws how likely each piece is what is looked for.
func (m Match) heat() string {
	var s strings.Builder
	at := -1
	for _, k := range m.kinds() {
		if k.Letter == m.Thought.Heat {
			at = k.Number
		}
	}
	if at < 0 {
		return ""
	}
	b := m.Film.Board()
	w, h := b.Cell[0]*2/3, b.Cell[1]*2/3
	for _, p := range m.Film.Pieces(m.Eyes, m.Ply) {
		if odds := m.believed(p); odds != nil && odds[at] > 0 {
			x, y := b.At(p.Square, m.Flip)
			fmt.Fprintf(&s, `<g class="odds" transform="translate(%d %d)"><rect class="under" x="%d" y="%d" width="%d" height="%d" rx="4"/><rect class="heat" x="%[3]d" y="%[4]d" width="%[5]d" height="%[6]d" rx="4" fill-opacity="%[7]s"/><text>%[8]s</text></g>`,
				x, y, -w/2, -h/2, w, h, strconv.FormatFloat(math.Round(10*math.Sqrt(float64(odds[at])/255))/10, 'g', -1, 64), percent(odds[at]))
		}
	}
	return s.String()
}

// percent is a probability in 255ths for people.
func percent(p int) string {
	switch {
	case p == 255:
		return "sure"
	case p*100 < 255:
		return "<1%"
	case p*100 > 99*255:
		return ">99%"
	}
	return strconv.Itoa((p*200+255)/510) + "%"
}

// table lists what the piece on the chosen square can be.
func (m Match) table() (title string, all []kind) {
	for _, p := range m.Film.Pieces(m.Eyes, m.Ply) {
		if m.Film.Squares[p.Square].Name != m.Thought.Square {
			continue
		}
		odds := m.believed(p)
		if odds == nil {
			break
		}
		for _, k := range m.kinds() {
			k.Percent, k.Width = "–", "0"
			if n := odds[k.Number]; n > 0 {
				k.Percent, k.Width = percent(n), strconv.FormatFloat(math.Round(float64(n)*1000/255)/10, 'g', -1, 64)
			}
			all = append(all, k)
		}
		return fmt.Sprintf("%s’s on %s, as %s knows it", m.Name(p.Side), m.Thought.Square, m.Name(3-p.Side)), all
	}
	return "Choose a piece", m.kinds()
}

// fog is how much each side does not know, by ply: a line in a box of 400 by 84; empty: nobody has thought of it.
func (m Match) fog(side int) string {
	b := m.Of[side-1]
	if b == nil || m.Film.Last() == 0 {
		return ""
	}
	most := 1.0
	for _, of := range m.Of {
		if of != nil {
			most = max(most, slices.Max(append([]float64{1}, of.Bits...)))
		}
	}
	var s strings.Builder
	for ply, bits := range b.Bits {
		fmt.Fprintf(&s, "%c%.1f %.1f", "ML"[min(ply, 1)], 400*float64(ply)/float64(m.Film.Last()), 82-80*bits/most)
	}
	return s.String()
}

// Fog are both lines, player 1's at first.
func (m Match) Fog() [2]string { return [2]string{m.fog(1), m.fog(2)} }

// FogAt is where the ply is that is shown.
func (m Match) FogAt() string {
	return fmt.Sprintf("%.1f", 400*float64(m.Ply)/float64(max(1, m.Film.Last())))
}

// Unknown says for each side how much it does not know in the position that is shown, by number; empty: nobody has thought of it.
func (m Match) Unknown() (all map[int]string) {
	all = map[int]string{}
	for n, b := range m.Of {
		if b != nil && m.Ply < len(b.Bits) {
			all[n+1] = fmt.Sprintf("%s: %v bits unknown", m.Name(n+1), b.Bits[m.Ply])
		}
	}
	return all
}
