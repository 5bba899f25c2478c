package page

import (
	"errors"
	"fmt"
	"html/template"
	"net/url"
	"strconv"
	"strings"

	"luzhanqi/game"
	"luzhanqi/game/games"
	"luzhanqi/picture"
	"luzhanqi/player"
	"luzhanqi/serve/film"
)

// Match is the page of a game.
type Match struct {
	Film *film.Film
	Base string // the page's address without its query; empty: a file
	Ply  int    // shown
	Eyes film.Eyes
	Flip bool

	Chosen string // which part of the site it belongs to: an address of the navigation
	Events string // where the events of a live game come from; empty: it is not live
	Seq    int    // how many events the film contains
	Thought
	Play  *Play // of the page of who plays; nil: nobody
	Links []Link
}

// Play is what somebody needs who plays.
type Play struct {
	Action  string        `json:"action,omitempty"` // where the form goes
	Side    int           `json:"side"`
	Turn    bool          `json:"turn"`
	Legal   []film.Choice `json:"legal"`
	Rematch string        `json:"rematch,omitempty"` // where to ask for the same game again
	Person  bool          `json:"person,omitempty"`  // the other player is one, too
	Example string        `json:"-"`
	Answer  string        `json:"-"` // to the latest try
}

// matchPage is what the template gets.
type matchPage struct {
	shell
	Match
	Picture template.HTML
	Warm    template.HTML
	Asked   string
	Table   []kind
	Hits    []hit
	Status  string
	Before  string // what happened one move earlier
	Said    string
	Steps   []step
	Moves   []move
	Data    any
}

type hit struct {
	Number     int
	Href       string
	Label      string
	X, Y, W, H int
}

type step struct{ ID, Href, Label, Key, Path string }

type move struct {
	film.Ply
	Href   string
	Chosen bool
}

type seat struct {
	Number            int
	Name, Left, Clock string
	Lost              template.HTML
	Turn              bool
}

// eyeLink chooses eyes.
type eyeLink struct {
	Link
	Eyes film.Eyes
}

// HTML is the page.
func (m Match) HTML() ([]byte, error) { return m.page(newShell(m.title(), m.Chosen, "match.js")) }

// File is the page as a file that needs nothing else.
func (m Match) File() ([]byte, error) { return m.page(newShell(m.title(), "", "").alone()) }

// SVG is the position alone, as a picture in a file of its own.
func (m Match) SVG() ([]byte, error) {
	if !m.Film.Begun() {
		return nil, errors.New("the record has no position; it ends before both set-ups")
	}
	m = m.shown()
	return []byte(m.Film.Board().Document(m.title()+", "+m.status(), m.Film.Pieces(m.Eyes, m.Ply), m.marks(), m.Flip)), nil
}

// shown has what there is in the place of what there is not: eyes and plies come from anybody.
func (m Match) shown() Match {
	if !m.Film.Has(m.Eyes) {
		m.Eyes = m.Film.Eyes[0]
	}
	m.Ply = max(0, min(m.Ply, m.Film.Last()))
	return m
}

// waits says whether the page shows a game as it is now, and not the person who plays it is to move.
func (m Match) waits() bool {
	return m.Events != "" && m.Film.End == nil && m.Ply == m.Film.Last() && (m.Play == nil || !m.Play.Turn)
}

// Drawn is what the page shows before any script: the picture, what is believed, and what the latest two moves did.
func (m Match) Drawn() (picture, heat, told string) {
	m = m.shown()
	return m.Film.Board().Picture(m.Film.Pieces(m.Eyes, m.Ply), m.marks(), m.Flip), m.heat(), m.before() + "|" + m.status()
}

// marks are those of the latest move.
func (m Match) marks() picture.Marks {
	if m.Ply == 0 {
		return picture.Marks{}
	}
	return picture.Marks{Trace: m.Film.Plies[m.Ply-1].Trace}
}

func (m Match) title() string { return m.Film.Players[0] + " – " + m.Film.Players[1] }

func (m Match) page(s shell) ([]byte, error) {
	m = m.shown()
	s.Anew = m.waits()
	p := matchPage{shell: s, Match: m, Status: m.status(), Before: m.before()}
	if m.Film.Begun() {
		drawn, heat, _ := m.Drawn()
		p.Picture = template.HTML(drawn) // by the games' own drawings, which escape
		p.Hits = m.hits()
		p.Warm = template.HTML(heat) // numbers alone
		p.Asked, p.Table = m.table()
	}
	if m.Ply > 0 {
		p.Said = m.Film.Plies[m.Ply-1].Said
	}
	p.Steps = []step{
		{"first", m.href("ply", "0"), "First", "Home", "M5 4v12M15 4l-7 6 7 6Z"},
		{"prev", m.href("ply", strconv.Itoa(max(0, m.Ply-1))), "Back", "←", "M12 4l-6 6 6 6"},
		{"run", m.href("ply", strconv.Itoa(m.Ply)), "Play", "Space", "M6 4l10 6-10 6Z"},
		{"next", m.href("ply", strconv.Itoa(min(m.Film.Last(), m.Ply+1))), "Forward", "→", "M8 4l6 6-6 6"},
		{"last", m.href("ply", strconv.Itoa(m.Film.Last())), "Last", "End", "M15 4v12M5 4l7 6-7 6Z"},
		{"flip", m.href("flip", map[bool]string{false: "1", true: ""}[m.Flip]), "Turn the board", "F", "M6 16V4M3 7l3-3 3 3M14 4v12M11 13l3 3 3-3"},
	}
	for _, ply := range m.Film.Plies {
		p.Moves = append(p.Moves, move{ply, m.href("ply", strconv.Itoa(ply.Number)), ply.Number == m.Ply})
	}
	p.Data = struct {
		*film.Film
		Plies  []briefPly             `json:"plies"` // in the place of the film's, as are these
		Frames map[film.Eyes][]string `json:"frames"`

		Base   string    `json:"base"`
		Ply    int       `json:"ply"`
		Eye    film.Eyes `json:"eye"`
		Flip   bool      `json:"flip"`
		Events string    `json:"events,omitempty"`
		Seq    int       `json:"seq,omitempty"`
		Play   *Play     `json:"play,omitempty"`

		Beliefs string                   `json:"beliefs,omitempty"`
		Known   map[string]*film.Beliefs `json:"known,omitempty"`
		Kinds   []player.Kind            `json:"kinds,omitempty"`
		Heat    string                   `json:"heat,omitempty"`
		Square  string                   `json:"sq,omitempty"`
		Opinion bool                     `json:"opinion,omitempty"`
	}{m.Film, briefPlies(m.Film.Plies), changes(m.Film.Frames), m.Base, m.Ply, m.Eyes, m.Flip, m.Events, m.Seq, m.Play, m.Address, m.Known, m.Types, m.Thought.Heat, m.Square, m.Opinion}
	return render("match.html", p)
}

// href is the page's address with one choice changed; empty: as if it had not been made.
func (m Match) href(name, value string) string {
	if m.Base == "" {
		if name == "ply" {
			return "#" + value
		}
		return "#"
	}
	q := url.Values{}
	if m.Ply != m.Film.Last() || m.Events == "" {
		q.Set("ply", strconv.Itoa(m.Ply))
	}
	if m.Eyes != m.Film.Eyes[0] {
		q.Set("eyes", string(m.Eyes))
	}
	if m.Flip {
		q.Set("flip", "1")
	}
	if m.Thought.Heat != "" {
		q.Set("heat", m.Thought.Heat)
	}
	if m.Square != "" {
		q.Set("sq", m.Square)
	}
	if m.Opinion {
		q.Set("opinion", "1")
	}
	if q.Set(name, value); value == "" {
		q.Del(name)
	}
	return m.Base + "?" + q.Encode()
}

// hits are the squares, to be clicked, walked through by keys, and read.
func (m Match) hits() (all []hit) {
	on := map[int]string{}
	for _, p := range m.Film.Pieces(m.Eyes, m.Ply) {
		on[p.Square] = p.Name
		if p.Side > 0 {
			on[p.Square] = fmt.Sprintf("%s of %s", p.Name, m.Film.Players[p.Side-1])
		}
	}
	b := m.Film.Board()
	for n, s := range b.Squares {
		x, y := b.At(n, m.Flip)
		label := s.Name
		if on[n] != "" {
			label += ", " + on[n]
		}
		all = append(all, hit{n, m.href("sq", s.Name), label, x - b.Cell[0]/2, y - b.Cell[1]/2, b.Cell[0], b.Cell[1]})
	}
	return all
}

// Name is that of the player at a seat.
func (m Match) Name(number int) string { return m.Film.Players[number-1] }

// Seat is what stands beside the board about a player.
func (m Match) Seat(number int) any {
	s := seat{Number: number, Name: m.Name(number)}
	if !m.Film.Begun() {
		return s
	}
	count := func(ply int) (n int) {
		for _, p := range m.Film.Pieces(m.Eyes, ply) {
			if p.Side == number {
				n++
			}
		}
		return n
	}
	s.Left = fmt.Sprintf("%d of %d", count(m.Ply), count(0))
	s.Lost = template.HTML(m.Lost(number)) // by the games' own drawings, which escape
	s.Turn = m.mover() == number && (m.Film.End == nil || m.Ply < m.Film.Last())
	for _, p := range m.Film.Plies[:m.Ply] {
		if p.Side == number {
			s.Clock = clock(p.Took, m.Film.Limit)
		}
	}
	return s
}

// mover is whose turn it is in the position that is shown.
func (m Match) mover() int {
	if m.Ply < m.Film.Last() {
		return m.Film.Plies[m.Ply].Side
	}
	return m.Film.Mover
}

// clock is how long a move took, of how long it may take.
func clock(took, limit float64) string {
	s := strconv.FormatFloat(took/1000, 'f', 2, 64) + " s"
	if limit > 0 {
		s += " / " + strconv.FormatFloat(limit/1000, 'g', -1, 64) + " s"
	}
	return s
}

// Wide says whether a board leaves no room beside it.
func (m Match) Wide() bool { return m.Film.Size[0] > 2*m.Film.Size[1] }

// Broad says whether a board is as wide as it is high, so that the room beside it bounds its size.
func (m Match) Broad() bool { return m.Film.Size[0] >= m.Film.Size[1] && !m.Wide() }

// EyeLinks choose whose view is shown.
func (m Match) EyeLinks() (all []eyeLink) {
	for _, e := range m.Film.Eyes {
		label := string(e)
		switch e {
		case film.First:
			label = m.Name(1)
		case film.Second:
			label = m.Name(2)
		}
		all = append(all, eyeLink{Link{Href: m.href("eyes", string(e)), Label: label, Chosen: e == m.Eyes}, e})
	}
	return all
}

// Looks are for what can be looked for, and for nothing.
func (m Match) Looks() []Link {
	all := []Link{{Href: m.href("heat", ""), Label: "–", Chosen: m.Thought.Heat == ""}}
	for _, k := range m.kinds() {
		all = append(all, Link{Href: m.href("heat", k.Letter), Label: k.Letter, Chosen: m.Thought.Heat == k.Letter})
	}
	return all
}

// Minds choose between what was observed and what is known of players, too.
func (m Match) Minds() []Link {
	return []Link{
		{Href: m.href("opinion", ""), Label: "facts", Chosen: !m.Opinion},
		{Href: m.href("opinion", "1"), Label: "opinion", Chosen: m.Opinion},
	}
}

// boardStyles are the styles of all games' boards.
func boardStyles() string {
	var s strings.Builder
	for _, g := range games.All {
		if p, ok := g.(game.PicturedGame); ok {
			s.WriteString(p.Board().Style)
		}
	}
	return s.String()
}
