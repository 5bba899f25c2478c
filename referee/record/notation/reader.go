package notation

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"luzhanqi/game"
	"luzhanqi/referee"
)

// Reader reads games in text notation or JSON Lines, one after the other.
type Reader struct {
	from *bufio.Reader
	line int // the last that was read, from 1
	json bool
	read int // bytes of this game
}

const (
	// maxLine bounds a line of the text: the longest has a set-up of 64 KiB, every byte of it escaped.
	maxLine = 1 << 20
	// maxGame bounds a game: one of 10,000 plies with comments of 1,000 bytes takes a sixth of it.
	maxGame = 64 << 20
	// maxMoves bounds the moves of a game: each becomes a position in memory when the rules judge it.
	maxMoves = 100_000
)

// NewReader begins to read. What begins with { is JSON Lines.
func NewReader(from io.Reader) *Reader {
	r := &Reader{from: bufio.NewReaderSize(from, 64<<10)}
	for {
		next, err := r.from.Peek(1)
		if err != nil || !bytes.ContainsAny(next, " \t\r\n") {
			r.json = err == nil && next[0] == '{'
			return r
		}
		if next[0] == '\n' {
			r.line++
		}
		r.from.Discard(1)
	}
}

// Next reads the next game; io.EOF: there are no more. Another error says in which line it is, and ends the reading. Whether the
// game is one by the rules is not looked at.
func (r *Reader) Next() (*Game, error) {
	r.read = 0
	g, err := r.next()
	if err == nil && len(g.Moves) > maxMoves {
		err = fmt.Errorf("a game of %d moves; allowed are %d", len(g.Moves), maxMoves)
	}
	if err != nil && err != io.EOF {
		return nil, fmt.Errorf("line %d: %w", max(r.line, 1), err)
	}
	return g, err
}

func (r *Reader) next() (*Game, error) {
	most := maxLine
	if r.json {
		most = maxGame
	}
	for {
		line, err := r.readLine(most)
		if err != nil {
			return nil, err
		}
		line = bytes.TrimSpace(line)
		switch {
		case len(line) == 0:
		case r.json:
			g := &Game{}
			return g, strictly(line, g)
		default:
			return r.text(line)
		}
	}
}

// readLine reads a line of a game; io.EOF: there is none.
func (r *Reader) readLine(most int) (line []byte, err error) {
	for {
		part, err := r.from.ReadSlice('\n')
		line = append(line, part...)
		if r.read += len(part); r.read > maxGame {
			return nil, fmt.Errorf("the game has more than %d bytes", maxGame)
		}
		switch {
		case len(line) > most:
			r.line++
			return nil, fmt.Errorf("longer than %d bytes", most)
		case err == nil, err == io.EOF && len(line) > 0:
			r.line++
			return line, nil
		case err != bufio.ErrBufferFull:
			return nil, err
		}
	}
}

// text reads a game whose first line is that.
func (r *Reader) text(line []byte) (*Game, error) {
	if line[0] != '[' {
		return nil, fmt.Errorf("found %.40q; a game begins with tags such as [Game \"luzhanqi\"]", line)
	}
	t := tags{seen: map[string]bool{}}
	for ended := false; !ended; {
		if len(line) > 0 && line[0] == '[' {
			if err := t.tag(line); err != nil {
				return nil, err
			}
		} else if len(line) > 0 {
			var err error
			if ended, err = t.moves(line); err != nil {
				return nil, err
			}
		}
		if ended {
			break
		}
		next, err := r.readLine(maxLine)
		if err == io.EOF {
			return nil, errors.New("the file ends within a game; its moves end with 1-0, 0-1, 1/2-1/2 or *")
		}
		if err != nil {
			return nil, err
		}
		line = bytes.TrimSpace(next)
	}
	return t.game()
}

// tags is a game half read.
type tags struct {
	Game
	seen   map[string]bool
	begun  bool // its moves
	ending referee.Ending
}

// names are those of the tags, in the order in which they are written.
var names = []string{
	"Source", "Game", "Rules", "Retries", "Player1", "About1", "Player2", "About2", "Started", "Seed", "Number", "Attempt", "Version",
	"Limits", "Opening", "Adjudication", "SetUp1", "SetUpTime1", "SetUp2", "SetUpTime2", "Result", "Ending", "VoidBy", "Reason", "Plies", "Value",
}

// tag reads a line [Name value].
func (t *tags) tag(line []byte) error {
	name, value, _ := strings.Cut(strings.TrimSuffix(string(line[1:]), "]"), " ")
	switch {
	case line[len(line)-1] != ']':
		return fmt.Errorf("the tag %.40q does not end with ]", line)
	case t.begun:
		return fmt.Errorf("the tag %.40q stands among moves, which end with 1-0, 0-1, 1/2-1/2 or *", line)
	case !slices.Contains(names, name):
		return fmt.Errorf("tag %.40q: allowed are %s", name, strings.Join(names, ", "))
	case t.seen[name]:
		return fmt.Errorf("a second tag %s", name)
	}
	t.seen[name] = true
	if err := t.set(name, value); err != nil {
		return fmt.Errorf("tag %s: %w", name, err)
	}
	return nil
}

func (t *tags) set(name, value string) error {
	into := map[string]any{
		"Source": &t.Source, "Game": &t.Game.Game, "Rules": &t.Rules, "Retries": &t.Retries, "Started": &t.Started, "Seed": &t.Seed,
		"Number": &t.Number, "Attempt": &t.Attempt, "Version": &t.Version, "Limits": &t.Limits, "Result": &t.Result,
		"Ending": &t.ending.Code, "VoidBy": &t.ending.VoidBy, "Reason": &t.ending.Reason, "Plies": &t.ending.Plies,
		"Opening": &t.Opening, "Adjudication": &t.Adjudication, "Value": &t.ending.Value,
	}[name]
	if into != nil {
		return strictly([]byte(value), into)
	}
	side := name[len(name)-1] - '1'
	given := t.SetUps[side]
	switch name[:len(name)-1] {
	case "Player":
		return strictly([]byte(value), &t.Players[side].Name)
	case "About":
		named := t.Players[side].Name
		err := strictly([]byte(value), &t.Players[side])
		t.Players[side].Name = named
		return err
	case "SetUp":
		t.SetUps[side] = &SetUp{}
		return strictly([]byte(value), &t.SetUps[side].SetUp)
	}
	var text string
	if err := strictly([]byte(value), &text); err != nil {
		return err
	}
	if given == nil {
		return fmt.Errorf("it stands before SetUp%d", side+1)
	}
	var err error
	given.Took, given.Starved, err = readTimes(text)
	return err
}

// strictly reads one JSON value and nothing else.
func strictly(text []byte, into any) error {
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(into); err != nil {
		return fmt.Errorf("found %.40q: %w", text, err)
	}
	if rest := bytes.TrimSpace(text[decoder.InputOffset():]); len(rest) > 0 {
		return fmt.Errorf("%.40q follows its value", rest)
	}
	return nil
}

// moves reads a line of moves; ended: the result was there.
func (t *tags) moves(line []byte) (ended bool, err error) {
	t.begun = true
	for rest := string(line); ; {
		rest = strings.TrimLeft(rest, " \t")
		if rest == "" {
			return ended, nil
		}
		if ended {
			return true, fmt.Errorf("%.40q follows the result", rest)
		}
		var word string
		if word, rest, err = cutWord(rest); err != nil {
			return false, err
		}
		switch {
		case isResult(word):
			if t.Result == "" {
				t.Result = Result(word)
			}
			if string(t.Result) != word {
				return false, fmt.Errorf("the moves end with %s, and the tag says %s", word, t.Result)
			}
			ended = true
		case isNumber(word):
		case word[0] == '(' || word[0] == '<' || word[0] == '{':
			if len(t.Moves) == 0 || t.Moves[len(t.Moves)-1].Refused {
				return false, fmt.Errorf("%.40q stands behind no move", word)
			}
			err = t.Moves[len(t.Moves)-1].annotate(word)
		default:
			var m Move
			m, err = readMove(word)
			t.Moves = append(t.Moves, m)
		}
		if err != nil {
			return false, err
		}
	}
}

// isNumber says whether a word is that of a turn, such as 12., which is for people.
func isNumber(word string) bool {
	digits := strings.TrimRight(word, ".")
	return digits != word && strings.Trim(digits, "0123456789") == ""
}

// cutWord cuts the first word off: up to a blank, unless that is within quotation marks.
func cutWord(s string) (word, rest string, err error) {
	within := false
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case within && c == '\\':
			i++
		case c == '"':
			within = !within
		case !within && (c == ' ' || c == '\t'):
			return s[:i], s[i:], nil
		}
	}
	if within {
		return "", "", fmt.Errorf("%.40q: the quotation marks are not closed on the line", s)
	}
	return s, "", nil
}

// readMove reads what Move.words writes first.
func readMove(word string) (m Move, err error) {
	rest, opens := strings.CutPrefix(word, "=")
	rest, refused := strings.CutPrefix(rest, "?")
	rest, drawn := strings.CutSuffix(rest, "~")
	m.Opening, m.Refused, m.Drawn = opens, refused, drawn
	if strings.HasPrefix(rest, `"`) {
		err = strictly([]byte(rest), &m.Move)
	} else {
		m.Move = strings.ReplaceAll(rest, "-", " ")
	}
	if err == nil && m.Move == "" {
		err = fmt.Errorf("found %.40q; a move was expected", word)
	}
	return m, err
}

// annotate reads a time, a value or a comment of a move.
func (m *Move) annotate(word string) (err error) {
	switch inner, last := word[1:], word[len(word)-1]; {
	case word[0] == '(' && last == ')' && m.Took == 0:
		m.Took, m.Starved, err = readTimes(strings.TrimSuffix(inner, ")"))
	case word[0] == '{' && last == '}' && m.Comment == "":
		err = strictly([]byte(strings.TrimSuffix(inner, "}")), &m.Comment)
	case word[0] == '<' && last == '>' && m.Value == nil:
		err = strictly([]byte(strings.TrimSuffix(inner, ">")), &m.Value)
	default:
		err = fmt.Errorf("found %.40q; behind a move stand its time, such as (12.5), its value, such as <0.3>, and its comment, such as {\"check\"}, once each", word)
	}
	return err
}

// readTimes reads what times writes, without its parentheses.
func readTimes(s string) (took, starved float64, err error) {
	first, second, both := strings.Cut(s, "/")
	if took, err = readTime(first); err == nil && both {
		starved, err = readTime(second)
	}
	return took, starved, err
}

func readTime(s string) (float64, error) {
	ms, err := strconv.ParseFloat(s, 64)
	if err != nil || !(ms >= 0 && ms <= maxTime) {
		return 0, fmt.Errorf("found the time %.40q; allowed are milliseconds, such as 12.5 or, with what others took of them, 12.5/3", s)
	}
	return ms, nil
}

// maxTime bounds a time, in milliseconds: longer than any limit.
const maxTime = 1e9

// game is what was read, as a whole.
func (t *tags) game() (*Game, error) {
	e := &t.ending
	if t.seen["Ending"] {
		switch t.Result {
		case FirstWon, SecondWon:
			winner := game.First
			if t.Result == SecondWon {
				winner = game.Second
			}
			e.Winner = &winner
			if e.Code != referee.Won && e.Code != referee.AdjudicatedWin {
				loser := winner.Other()
				e.Fault = &loser
			}
		}
		t.Ending = e
	} else {
		for _, name := range []string{"VoidBy", "Reason", "Plies", "Value"} {
			if t.seen[name] {
				return nil, fmt.Errorf("tag %s without a tag Ending", name)
			}
		}
	}
	g := t.Game
	if g.Moves == nil {
		g.Moves = []Move{}
	}
	return &g, nil
}
