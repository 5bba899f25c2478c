package notation

import (
	"bufio"
	"bytes"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"regexp"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"luzhanqi/referee/record"
	"luzhanqi/text"
)

// Writer writes games in one format. Flush comes last.
type Writer struct {
	to     *bufio.Writer
	format Format
	lines  *json.Encoder
	table  *csv.Writer
	games  int
}

// NewWriter begins to write games.
func NewWriter(to io.Writer, format Format) *Writer {
	w := &Writer{to: bufio.NewWriter(to), format: format}
	w.lines, w.table = json.NewEncoder(w.to), csv.NewWriter(w.to)
	w.lines.SetEscapeHTML(false)
	return w
}

// Write writes a game.
func (w *Writer) Write(g *Game) error {
	w.games++
	switch w.format {
	case JSONLines:
		return w.lines.Encode(g)
	case CSV:
		if w.games == 1 {
			w.table.Write(columns)
		}
		return w.table.Write(g.row())
	}
	if w.games > 1 {
		w.to.WriteByte('\n')
	}
	_, err := w.to.Write(g.text())
	return err
}

// Flush writes what waits; its error is the first of all.
func (w *Writer) Flush() error {
	w.table.Flush()
	return errors.Join(w.table.Error(), w.to.Flush())
}

// columns are those of the table. Its moves are written as in the text.
var columns = []string{
	"source", "game", "rules", "player1", "player2", "result", "points1", "ending", "plies", "reason", "seed", "number", "attempt", "started", "setup1", "setup2", "moves",
}

func (g *Game) row() []string {
	row := []string{text.Cell(g.Source), g.Game, g.Rules, text.Cell(g.Players[0].Name), text.Cell(g.Players[1].Name), string(g.Result)}
	points := map[Result]string{FirstWon: "1", Tied: "0.5", SecondWon: "0"}[g.Result]
	code, reason, plies := "", "", ""
	if g.Ending != nil {
		code, reason, plies = string(g.Ending.Code), text.Cell(g.Ending.Reason), strconv.Itoa(g.Ending.Plies)
	}
	row = append(row, points, code, plies, reason, strconv.FormatUint(g.Seed, 10), strconv.Itoa(g.Number), strconv.Itoa(g.Attempt))
	started := ""
	if g.Started != nil {
		started = g.Started.Format(time.RFC3339Nano)
	}
	row = append(row, started)
	for _, s := range g.SetUps {
		given := ""
		if s != nil {
			given = text.Cell(s.SetUp)
		}
		row = append(row, given)
	}
	var moves []string
	for _, m := range g.Moves {
		moves = append(moves, m.words()...)
	}
	return append(row, text.Cell(strings.Join(moves, " ")))
}

// width is how long lines of moves are.
const width = 79

// text is the game in the text notation.
func (g *Game) text() []byte {
	var b bytes.Buffer
	tag := func(name string, value any) {
		fmt.Fprintf(&b, "[%s %s]\n", name, quoted(value))
	}
	if g.Source != "" {
		tag("Source", g.Source)
	}
	tag("Game", g.Game)
	if g.Rules != "" {
		tag("Rules", g.Rules)
	}
	if g.Retries != 0 {
		tag("Retries", g.Retries)
	}
	for side, p := range g.Players {
		tag(fmt.Sprint("Player", side+1), p.Name)
		if about := aboutOf(p); about != "{}" {
			fmt.Fprintf(&b, "[About%d %s]\n", side+1, about)
		}
	}
	if g.Started != nil {
		tag("Started", g.Started)
	}
	tag("Seed", g.Seed)
	if g.Number != 0 {
		tag("Number", g.Number)
	}
	if g.Attempt != 0 {
		tag("Attempt", g.Attempt)
	}
	if g.Version != "" {
		tag("Version", g.Version)
	}
	if g.Limits != nil {
		tag("Limits", g.Limits)
	}
	if g.Opening != nil {
		tag("Opening", g.Opening)
	}
	if g.Adjudication != nil {
		tag("Adjudication", g.Adjudication)
	}
	for side, s := range g.SetUps {
		if s == nil {
			continue
		}
		tag(fmt.Sprint("SetUp", side+1), s.SetUp)
		if s.Took != 0 {
			fmt.Fprintf(&b, "[SetUpTime%d %q]\n", side+1, strings.Trim(times(s.Took, s.Starved), "()"))
		}
	}
	tag("Result", g.Result)
	if e := g.Ending; e != nil {
		tag("Ending", e.Code)
		if e.VoidBy != "" {
			tag("VoidBy", e.VoidBy)
		}
		tag("Reason", e.Reason)
		tag("Plies", e.Plies)
		if e.Value != nil {
			tag("Value", *e.Value)
		}
	}
	b.WriteByte('\n')
	l := lines{to: &b}
	ply := 0
	for _, m := range g.Moves {
		words := m.words()
		if !m.Refused {
			if ply++; ply%2 == 1 {
				words[0] = fmt.Sprintf("%d. %s", (ply+1)/2, words[0])
			}
		}
		for _, word := range words {
			l.word(word)
		}
	}
	l.word(string(g.Result))
	b.WriteByte('\n')
	return b.Bytes()
}

// aboutOf is all that is known of a player but for the name, as the header of a record has it.
func aboutOf(p record.Player) string {
	var members map[string]json.RawMessage
	if err := json.Unmarshal(quoted(p), &members); err != nil {
		panic(err) // it was made just so
	}
	delete(members, "name")
	return string(quoted(members))
}

// lines writes words, and breaks lines between them.
type lines struct {
	to     *bytes.Buffer
	column int
}

func (l *lines) word(word string) {
	n := utf8.RuneCountInString(word)
	switch {
	case l.column == 0:
	case l.column+1+n > width:
		l.to.WriteByte('\n')
		l.column = 0
	default:
		l.to.WriteByte(' ')
		l.column++
	}
	l.to.WriteString(word)
	l.column += n
}

// plain is a move that is written without quotation marks: nothing else looks like it.
var plain = regexp.MustCompile(`^[A-Za-z0-9]([A-Za-z0-9+=:/-]*[A-Za-z0-9])?$`)

// words are a move, its time, its value and its comment in the text.
func (m *Move) words() []string {
	word := strings.ReplaceAll(m.Move, " ", "-")
	if strings.Contains(m.Move, "-") || !plain.MatchString(word) || isResult(word) {
		word = string(quoted(m.Move))
	}
	if m.Refused {
		word = "?" + word
	}
	if m.Opening {
		word = "=" + word
	}
	if m.Drawn {
		word += "~"
	}
	all := []string{word}
	if m.Took != 0 {
		all = append(all, times(m.Took, m.Starved))
	}
	if m.Value != nil {
		all = append(all, "<"+strconv.FormatFloat(*m.Value, 'f', -1, 64)+">")
	}
	if m.Comment != "" {
		all = append(all, "{"+string(quoted(m.Comment))+"}")
	}
	return all
}

func isResult(word string) bool {
	switch Result(word) {
	case FirstWon, SecondWon, Tied, None:
		return true
	}
	return false
}

// times writes milliseconds, and what of them others took.
func times(took, starved float64) string {
	s := "(" + strconv.FormatFloat(took, 'f', -1, 64)
	if starved != 0 {
		s += "/" + strconv.FormatFloat(starved, 'f', -1, 64)
	}
	return s + ")"
}

// quoted writes a value as JSON on one line.
func quoted(value any) []byte {
	var b bytes.Buffer
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(value); err != nil {
		panic(err) // texts, numbers and structs of them
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n"))
}
