package record

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"luzhanqi/game"
	"luzhanqi/referee"
	"luzhanqi/referee/course"
	"luzhanqi/referee/opening"
)

// Replay is a record that was read and verified.
type Replay struct {
	Header    Header
	Positions []game.Position // before the first move, and after each
	Moves     []Line          // the move that led to Positions[i+1]
	Refused   []Line          // the illegal moves; their Ply is that of the move that was asked for
	SetUps    [2]game.SetUp
	Given     [2]*Line        // the lines of SetUps; nil: the side gave none
	Ending    *referee.Ending // as recorded; nil: the record ends before the game did
	// Torn says that the last line of the file is not whole: the referee or the machine died.
	Torn bool
	// Disagreements are the places where the record and the rules differ, up to a thousand. None: they agree.
	Disagreements []string

	course course.Course
}

// Course tells how the game went, see [course.Course]; empty: it has not ended, or is void.
func (r *Replay) Course() string {
	if r.Ending == nil || r.Ending.Code == referee.Void {
		return ""
	}
	r.course.SetUps = r.SetUps
	if r.Header.Opening != nil {
		r.course.Position = string(r.Header.Opening.Position)
	}
	return r.course.Digest(string(r.Ending.Code), r.Ending.Winner)
}

// Opening is how the game began: its set-ups and so many moves, of which none ended it.
func (r *Replay) Opening(plies int) (*opening.Text, error) {
	most := len(r.Moves) - 1
	if len(r.Positions) == 0 {
		return nil, errors.New("the game ended before both set-ups")
	}
	if plies < 0 || plies > most {
		return nil, fmt.Errorf("an opening of %d moves: the game has %d, and allowed are 0 to %d", plies, len(r.Moves), max(most, 0))
	}
	o := &opening.Text{}
	if r.Header.Opening != nil {
		o.Position = r.Header.Opening.Position
	}
	if r.SetUps != [2]game.SetUp{} {
		o.SetUps = &[2]string{string(r.SetUps[0]), string(r.SetUps[1])}
	}
	for _, line := range r.Moves[:plies] {
		o.Moves = append(o.Moves, line.Move)
	}
	return o, nil
}

// Position is the position after so many moves, in which the game was not over, for a game to begin with.
func (r *Replay) Position(ply int, find func(name string) (game.Game, error)) (*opening.Text, error) {
	if most := len(r.Moves) - 1; len(r.Positions) == 0 || ply < 0 || ply > max(most, 0) {
		return nil, fmt.Errorf("the position after %d moves: the game has %d, and allowed are 0 to %d", ply, len(r.Moves), max(most, 0))
	}
	g, err := find(r.Header.Game)
	if err != nil {
		return nil, err
	}
	return opening.At(g, r.Positions[ply])
}

// maxLine bounds a line of a record: the longest, a flooded answer in base64, takes 90 KB.
const maxLine = 1 << 20

// maxDisagreements is how many are looked for: a record of a stranger may consist of nothing else.
const maxDisagreements = 1000

// ErrUnbegun: the record has no whole header, since the referee or the machine died before it was written.
var ErrUnbegun = errors.New("not a record")

// Read reads and verifies a record. find looks up the record's game. An error means that it cannot be verified
// at all; disagreements with the rules are found in the Replay.
func Read(r io.Reader, find func(name string) (game.Game, error)) (*Replay, error) {
	lines := bufio.NewReaderSize(r, 64<<10)
	text, torn, err := readLine(lines)
	if err == io.EOF {
		return nil, fmt.Errorf("the file is empty, %w", ErrUnbegun)
	}
	if err != nil {
		return nil, fmt.Errorf("line 1: %w", err)
	}
	v := verifier{Replay: &Replay{}}
	if torn && bytes.HasPrefix(text, []byte(`{"event":"header"`)) {
		return nil, fmt.Errorf("the file ends in its first line, %w", ErrUnbegun)
	}
	if err := json.Unmarshal(text, &v.Header); err != nil || torn || v.Header.Event != "header" {
		return nil, errors.New("line 1 is not the header of a record")
	}
	if v.Header.Schema < 1 || v.Header.Schema > Schema {
		return nil, fmt.Errorf("the record has schema %d; this program reads schemas 1 to %d", v.Header.Schema, Schema)
	}
	if v.Conditions, err = v.Header.Conditions(find); err != nil {
		return nil, fmt.Errorf("line 1: %w", err)
	}
	if v.opening, err = v.Header.Opening.Opening(v.Game, v.Rules); err != nil {
		return nil, fmt.Errorf("line 1: the opening: %w", err)
	}
	v.draws = referee.Draws(v.Header.Seed, v.Header.Number)
	v.begin()
	for number := 2; ; number++ {
		text, torn, err := readLine(lines)
		if err == io.EOF {
			break
		}
		if err != nil {
			return nil, fmt.Errorf("line %d: %w", number, err)
		}
		if torn {
			v.Torn = true
			break
		}
		var line Line
		if err := json.Unmarshal(text, &line); err != nil {
			return nil, fmt.Errorf("line %d is not a line of a record: %w", number, err)
		}
		v.line = number
		v.take(line)
		if len(v.Disagreements) >= maxDisagreements {
			return v.Replay, nil
		}
	}
	if v.Ending == nil {
		v.Torn = true
	}
	v.finish()
	return v.Replay, nil
}

// readLine returns the next line without its newline; torn says that it had none.
func readLine(r *bufio.Reader) (text []byte, torn bool, err error) {
	for {
		part, err := r.ReadSlice('\n')
		text = append(text, part...)
		switch {
		case len(text) > maxLine:
			return nil, false, fmt.Errorf("longer than %d bytes", maxLine)
		case err == nil:
			return bytes.TrimSuffix(text, []byte("\n")), false, nil
		case err == io.EOF && len(text) > 0:
			return text, true, nil
		case err != bufio.ErrBufferFull:
			return nil, false, err
		}
	}
}
