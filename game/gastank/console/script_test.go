package console

import (
	"bufio"
	"strconv"
	"strings"
	"testing"

	"luzhanqi/game"
	"luzhanqi/game/gastank"
)

func mustMove(t testing.TB, text string) game.Move {
	t.Helper()
	m, err := gastank.ParseMove(text)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// script plays a conversation between the referee and a program whose output was captured or made up.
// One instruction a line; squares are in player 1's frame, TEXT is a quoted Go string:
//
//	adapter NAME     the built-in adapter
//	side N           what the program plays
//	turn             it is its turn
//	human MOVE       its opponent has moved
//	out TEXT         it prints
//	type TEXT        silence: this, and nothing else, is typed
//	answer MOVE      silence: this is its move; "answer MOVE COMMENT" checks the comment too
//	nothing          silence: it is waited for
//	error TEXT       silence: it is at fault, with this in the explanation
//	late …, eof …    as the rest of the line, when its time is over or its output has ended
//	# …              a comment
type script struct {
	t        *testing.T
	adapter  *Adapter
	referee  *refereeEnd
	position game.Position
	buf      []byte
}

func (s *script) run(text string) {
	s.t.Helper()
	scanner := bufio.NewScanner(strings.NewReader(text))
	scanner.Buffer(nil, 1<<20)
	for number := 1; scanner.Scan(); number++ {
		line := strings.TrimSpace(scanner.Text())
		if line == "" || line[0] == '#' {
			continue
		}
		if !s.line(line) {
			s.t.Fatalf("line %d: %s", number, line)
		}
	}
}

func (s *script) line(line string) bool {
	word, rest, _ := strings.Cut(line, " ")
	switch word {
	case "adapter":
		a, err := BuiltIn(rest)
		if err != nil {
			s.t.Fatal(err)
		}
		s.adapter = a
	case "side":
		side, err := game.ParseSide(rest)
		if err != nil {
			s.t.Fatal(err)
		}
		s.referee, s.position = s.adapter.referee(side), gastank.NewPosition()
	case "turn":
		s.tell(game.Event{Kind: game.EventTurn, Side: s.referee.side})
	case "human":
		m := mustMove(s.t, rest)
		if err := s.position.Check(m); err != nil {
			s.t.Fatal(err)
		}
		s.position = s.position.Play(m)
		s.tell(game.Event{Kind: game.EventMoved, Side: s.referee.side.Other(), Move: m})
	case "out":
		s.buf = append(s.buf, s.unquote(rest)...)
		if n, _, err := s.referee.Scan(s.buf, false); n != 0 || err != nil {
			s.t.Fatalf("Scan uses %d bytes, %v", n, err)
		}
	case "late", "eof":
		return s.silence(rest, word == "late", word == "eof")
	default:
		return s.silence(line, false, false)
	}
	return true
}

func (s *script) tell(e game.Event) {
	if said := s.referee.Tell(e, s.position.View(s.referee.side)); said != nil {
		s.t.Fatalf("Tell says %q before it was asked", said)
	}
}

func (s *script) unquote(text string) string {
	plain, err := strconv.Unquote(text)
	if err != nil {
		s.t.Fatalf("%s: %v", text, err)
	}
	return plain
}

// silence judges the output and compares.
func (s *script) silence(line string, late, eof bool) bool {
	word, rest, _ := strings.Cut(line, " ")
	var n int
	var typed []byte
	var a game.Answer
	var found bool
	var err error
	if eof {
		n, a, err = s.referee.Scan(s.buf, true)
		found = n > 0
	} else {
		n, typed, a, found, err = s.referee.Silent(s.buf, late)
	}
	s.buf = s.buf[n:]
	got := "nothing"
	switch {
	case err != nil:
		got = "error " + err.Error()
		if word == "error" && strings.Contains(err.Error(), s.unquote(rest)) {
			return true
		}
	case found:
		got = "answer " + gastank.MoveName(a.Move)
		if strings.HasPrefix(line, got+" ") || a.Comment != "" && line != got {
			got += " " + a.Comment
		}
		if s.position.Check(a.Move) == nil {
			s.position = s.position.Play(a.Move)
			s.tell(game.Event{Kind: game.EventMoved, Side: s.referee.side, Move: a.Move})
		}
	case typed != nil:
		got = "type " + strconv.Quote(string(typed))
	}
	if got != line {
		s.t.Errorf("got %s", got)
	}
	return got == line
}
