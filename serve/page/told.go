package page

import (
	"fmt"
	"strings"

	"luzhanqi/serve/film"
)

// status is what happened last, in a sentence.
func (m Match) status() string {
	end := m.Film.End
	switch {
	case !m.Film.Begun() && end != nil:
		return strings.TrimSuffix(end.Reason, ".") + "."
	case !m.Film.Begun():
		return "The players set up their pieces."
	case m.Ply == m.Film.Last() && end != nil:
		return fmt.Sprintf("After %d plies: %s.", m.Ply, strings.TrimSuffix(end.Reason, "."))
	case m.Ply == 0:
		return "The beginning."
	}
	return m.told(m.Ply)
}

// before is what happened one move earlier than what the status says: who plays sees what the own move did, however fast the answer was.
func (m Match) before() string {
	switch {
	case !m.Film.Begun() || m.Ply == 0:
		return ""
	case m.Ply == m.Film.Last() && m.Film.End != nil:
		return m.told(m.Ply)
	case m.Ply == 1:
		return ""
	}
	return m.told(m.Ply - 1)
}

// told is one move in a sentence.
func (m Match) told(ply int) string {
	p := m.Film.Plies[ply-1]
	return fmt.Sprintf("%d. %s: %s%s", p.Number, m.Name(p.Side), p.Text, m.pieces(ply))
}

// pieces names those of a move, as far as the eyes know them.
func (m Match) pieces(ply int) string {
	trace := m.Film.Plies[ply-1].Trace
	if len(trace) != 2 {
		return ""
	}
	mover, other, after := m.face(ply-1, trace[0]), m.face(ply-1, trace[1]), m.face(ply, trace[1])
	switch {
	case mover == nil || other == nil && !mover.Known() || other != nil && !mover.Known() && !other.Known():
		return ""
	case other != nil && (after == nil || after.Side != mover.Side):
		return fmt.Sprintf(" (%s against %s)", kindOf(mover), kindOf(other))
	}
	s := kindOf(mover)
	if other != nil {
		s += " takes " + kindOf(other)
	}
	if mover.Known() && after != nil && after.Known() && kindOf(after) != kindOf(mover) {
		s += ", now " + kindOf(after)
	}
	if len(s) == 1 { // a game of one kind of pieces
		return ""
	}
	return " (" + s + ")"
}

// kindOf is the name of a piece without what else is said of it: bishop, gas 2.
func kindOf(f *film.Face) string {
	kind, _, _ := strings.Cut(f.Name, ",")
	return kind
}

// face is that of a piece on a square; nil: none.
func (m Match) face(ply, square int) *film.Face {
	c := []rune(m.Film.Frames[m.Eyes][ply])[square]
	if c == '.' {
		return nil
	}
	return &m.Film.Faces[c-film.FirstFace]
}
