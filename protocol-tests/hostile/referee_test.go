package main

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"strings"
)

// A referee plays one game between two programs: it knows the rules of moving and capturing, and trusts the clock.
type referee struct {
	seats [2]seat
	board arena
	plies int
	seen  map[arena]int
	fouls []string // every answer that was no legal one, in order: the game goes on without it
	turns [2]int   // (go …) so far
	foul  int      // the offender's turn at the first foul
	limit int      // fouls after which the game ends
}

type seat struct {
	in  io.Writer
	out *bufio.Reader
}

// An arena is the whole board in the frame of side 0.
type arena struct {
	piece [squares]byte
	side  [squares]int
}

// frame turns a square of one side's frame into side 0's, and back.
func frame(side int, s square) square {
	if side == 1 {
		return s.turned()
	}
	return s
}

func (a *arena) place(side int, own [squares]byte) {
	for s, piece := range own {
		if piece != 0 {
			a.piece[frame(side, square(s))], a.side[frame(side, square(s))] = piece, side
		}
	}
}

func (a *arena) view(side int) *board {
	b := &board{}
	for s, piece := range a.piece {
		v := frame(side, square(s))
		switch {
		case piece == 0:
		case a.side[s] == side:
			b.own[v] = piece
		default:
			b.enemy[v] = true
		}
	}
	return b
}

// play makes a legal move of the side and returns the sign, or "flag".
func (a *arena) play(side int, s step) string {
	from, to := frame(side, s.from), frame(side, s.to)
	attacker, defender := a.piece[from], a.piece[to]
	sign := ""
	switch {
	case defender == 0:
	case defender == 'F':
		sign = "flag"
	case attacker == 'B' || defender == 'B' || attacker == defender:
		sign = "="
	case defender == 'L' && attacker == '1':
		sign = ">"
	case defender == 'L':
		sign = "="
	case attacker > defender:
		sign = ">"
	default:
		sign = "<"
	}
	a.piece[from], a.side[from] = 0, 0
	switch sign {
	case "", ">", "flag":
		a.piece[to], a.side[to] = attacker, side
	case "=":
		a.piece[to], a.side[to] = 0, 0
	}
	return sign
}

func (j *referee) tell(side int, format string, values ...any) {
	_, _ = fmt.Fprintf(j.seats[side].in, format+"\n", values...)
}

func (j *referee) tellBoth(format string, values ...any) {
	j.tell(0, format, values...)
	j.tell(1, format, values...)
}

// game returns the ending as "flag 1", "resign 2", "stuck 2", "repetition", "long", or an error.
func (j *referee) game() (string, error) {
	j.seen = map[arena]int{}
	for side := range j.seats {
		j.tell(side, "(init %d time/move 1.0)", side+1)
	}
	for side := range j.seats {
		text, err := j.seats[side].datum()
		if err != nil {
			return "", fmt.Errorf("set-up of %d: %w", side+1, err)
		}
		own, err := readSetUp(text)
		if err != nil {
			j.fouls = append(j.fouls, text)
			j.tellBoth("(end %d)", 2-side)
			return "set-up " + string(rune('1'+side)), nil
		}
		j.board.place(side, own)
	}
	for side := 0; ; side = 1 - side {
		ending, err := j.ply(side)
		if err != nil {
			return "", fmt.Errorf("ply %d of %d: %w", j.plies, side+1, err)
		}
		if ending != "" {
			winner := 0
			if strings.HasPrefix(ending, "flag ") {
				winner = 1 + side
			} else if strings.Contains(ending, " ") {
				winner = 2 - side
			}
			j.tellBoth("(end %d)", winner)
			return ending, nil
		}
	}
}

func (j *referee) ply(side int) (string, error) {
	name := string(rune('1' + side))
	view := j.board.view(side)
	if len(view.steps()) == 0 {
		return "stuck " + name, nil
	}
	j.plies++
	j.turns[side]++
	if j.plies > 5000 {
		return "long", nil
	}
	j.tellBoth("(go %s)", name)
	var s step
	for {
		text, err := j.seats[side].datum()
		if err != nil {
			return "", err
		}
		if text == "(resign)" {
			return "resign " + name, nil
		}
		s, err = readStep(text)
		if err == nil && view.legal(s) {
			break
		}
		if j.fouls = append(j.fouls, text); len(j.fouls) == 1 {
			j.foul = j.turns[side]
		}
		if len(j.fouls) >= j.limit {
			return "foul " + name, nil
		}
		j.tell(side, "(illegal (A1 A1))")
	}
	sign := j.board.play(side, s)
	if sign == "flag" {
		return "flag " + name, nil
	}
	if sign != "" {
		clear(j.seen)
	}
	if j.seen[j.board]++; j.seen[j.board] == 10 {
		return "repetition", nil
	}
	for to := range j.seats {
		told := s
		if to != side {
			told = step{s.from.turned(), s.to.turned()}
		}
		j.tell(to, "(outcome %s)", strings.TrimSpace(sign+" "+told.String()))
	}
	return "", nil
}

// datum is the next answer in canonical spacing: an expression, or a line that starts like none.
func (s seat) datum() (string, error) {
	var text strings.Builder
	depth := 0
	for {
		c, err := s.out.ReadByte()
		if err != nil {
			return "", fmt.Errorf("after %q: %w", text.String(), err)
		}
		if text.Len() == 0 && strings.IndexByte(" \t\r\n", c) >= 0 {
			continue
		}
		text.WriteByte(c)
		if text.String()[0] != '(' {
			rest, err := s.out.ReadString('\n')
			return text.String() + rest, err
		}
		switch c {
		case '(':
			depth++
		case ')':
			depth--
		}
		if depth == 0 {
			words := strings.NewReplacer("(", " ( ", ")", " ) ").Replace(text.String())
			words = strings.Join(strings.Fields(words), " ")
			return strings.NewReplacer("( ", "(", " )", ")").Replace(words), nil
		}
	}
}

func readStep(text string) (step, error) {
	from, to, found := strings.Cut(strings.TrimSuffix(strings.TrimPrefix(text, "("), ")"), " ")
	if !found {
		return step{}, errors.New("no move")
	}
	a, err := parseSquare(from)
	if err != nil {
		return step{}, err
	}
	b, err := parseSquare(to)
	if err != nil || (step{a, b}).String() != text {
		return step{}, errors.New("no move")
	}
	return step{a, b}, nil
}

// readSetUp accepts exactly the legal set-ups.
func readSetUp(text string) (own [squares]byte, err error) {
	want := map[byte]int{'F': 1, 'L': 3, 'B': 2, '9': 1, '8': 1, '7': 2, '6': 2, '5': 2, '4': 2, '3': 3, '2': 3, '1': 3}
	inner, ok := strings.CutPrefix(text, "((")
	inner, closed := strings.CutSuffix(inner, "))")
	if !ok || !closed {
		return own, errors.New("no list of entries")
	}
	for _, entry := range strings.Split(inner, ") (") {
		name, piece, _ := strings.Cut(entry, " ")
		s, err := parseSquare(name)
		if err != nil {
			return own, err
		}
		if len(piece) != 1 || want[piece[0]] == 0 {
			return own, fmt.Errorf("too many or unknown: %q", entry)
		}
		want[piece[0]]--
		wrong := own[s] != 0 || camp[s] || s.row() > 6 || piece == "F" && !headquarters[s] ||
			piece == "L" && s.row() > 2 || piece == "B" && s.row() == 6
		if wrong {
			return own, fmt.Errorf("misplaced: %q", entry)
		}
		own[s] = piece[0]
	}
	for piece, missing := range want {
		if missing > 0 {
			return own, fmt.Errorf("missing: %c", piece)
		}
	}
	return own, nil
}
