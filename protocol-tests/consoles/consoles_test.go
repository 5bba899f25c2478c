package main

import (
	"bytes"
	"io"
	"strings"
	"testing"
	"time"
)

// play runs a mode on input that is all there at once, and returns what it prints.
func play(t *testing.T, mode, input string, terminal bool) string {
	t.Helper()
	var out bytes.Buffer
	if status := run([]string{mode}, strings.NewReader(input), &out, io.Discard, terminal); status != 0 {
		t.Errorf("%s exits with %d", mode, status)
	}
	return out.String()
}

func TestCommandLine(t *testing.T) {
	var out, errs bytes.Buffer
	if status := run([]string{"-list"}, nil, &out, &errs, false); status != 0 || strings.Count(out.String(), "\n") != len(modes) {
		t.Errorf("status %d, %q", status, &out)
	}
	for _, line := range []string{"", "sedan", "hatchback pickup", "-wait -1 pickup", "-seed x pickup"} {
		errs.Reset()
		if status := run(strings.Fields(line), strings.NewReader(""), io.Discard, &errs, false); status != exitUsage || errs.Len() == 0 {
			t.Errorf("%q: status %d, %q", line, status, &errs)
		}
	}
}

func TestHatchbackLosesEarlyInput(t *testing.T) {
	if out := play(t, "hatchback", "n\n1\nE1E2\n", false); strings.Contains(out, "Enter your move") {
		t.Errorf("it has read what was typed before it asked:\n%s", out)
	}
}

// typist types each line when the program has been silent after a prompt.
type typist struct {
	out   bytes.Buffer
	lines []string
	keys  *io.PipeWriter
	after string
}

func (w *typist) Write(text []byte) (int, error) {
	w.out.Write(text)
	if len(w.lines) > 0 && strings.HasSuffix(w.out.String(), w.after) {
		line := w.lines[0]
		w.lines = w.lines[1:]
		go w.keys.Write([]byte(line + "\n"))
	} else if len(w.lines) == 0 && strings.HasSuffix(w.out.String(), w.after) {
		w.keys.Close()
	}
	return len(text), nil
}

func TestHatchbackRefusesInWords(t *testing.T) {
	stdin, keys := io.Pipe()
	w := &typist{lines: []string{"n", "1", "E1E5", "e1e2", "E1E2"}, keys: keys, after: " "}
	run([]string{"hatchback"}, stdin, w, io.Discard, false)
	out := w.out.String()
	if strings.Count(out, "Illegal move!\n") != 2 || !strings.Contains(out, "You moved E1E2.\n") || !strings.Contains(out, "thinking of ") || !strings.Contains(out, "I move: ") {
		t.Errorf("it says\n%s", out)
	}
}

func TestPickupNeedsATerminal(t *testing.T) {
	if out := play(t, "pickup", "1\nE1 E2\n", false); out != "" {
		t.Errorf("on a pipe it prints %q", out)
	}
	out := play(t, "pickup", "1\nE1 E5\nnonsense\nE1 E2\n", true)
	if strings.Count(out, "From and to? ") != 2 || strings.Count(out, "MOVE from ") != 1 || strings.Count(out, "7 |") != 2 {
		t.Errorf("on a terminal it prints\n%s", out)
	}
}

// TestConvertible: small letters only, no word about an illegal move, and a flood at the end.
func TestConvertible(t *testing.T) {
	listener, out := io.Pipe()
	go run([]string{"convertible"}, strings.NewReader("y\nE1E2\ne1e5\ne1e2\n"), out, io.Discard, false)
	var text bytes.Buffer
	if _, err := io.CopyN(&text, listener, 200_000); err != nil {
		t.Fatal(err)
	}
	listener.Close() // and it leaves
	plain := text.String()
	for i := 31; i < 37; i++ {
		plain = strings.ReplaceAll(plain, "\x1b[0;"+string(rune('0'+i/10))+string(rune('0'+i%10))+"m", "")
	}
	plain = strings.ReplaceAll(plain, "\x1b[0m", "")
	start := strings.Index(plain, "Move: Move: ")
	if start < 0 || strings.Count(plain[:start], "Move: ") != 3 || strings.Count(plain[:start], "(") != 1 || len(plain)-start < 10_000 {
		t.Errorf("it prints\n%.3000s", plain)
	}
}

// TestMisprints plays pickup's own moves and compares what it prints with what it does.
func TestMisprints(t *testing.T) {
	wrong, right := 0, 0
	for seed := range uint64(20) {
		var out bytes.Buffer
		console := &console{out: &out, random: newRandom(seed)}
		m := match{board: newBoard()}
		pickupMoves(console, &m)
		before := newBoard()
		for _, s := range before.moves(true) {
			after := before
			after.play(s)
			if after != m.board {
				continue
			}
			if strings.Contains(out.String(), "MOVE from "+s.from.String()+" to "+s.to.String()+"\r\n") {
				right++
			} else {
				wrong++
			}
		}
	}
	if right+wrong != 20 || right < 3 || wrong < 3 {
		t.Errorf("%d right, %d wrong, want some of each", right, wrong)
	}
}

func TestConvertibleClaimsEarly(t *testing.T) {
	var out bytes.Buffer
	m := match{board: newBoard()}
	m.board[0][4].gas = 0
	convertibleMoves(&console{out: &out, random: newRandom(1)}, &m)
	if m.over || !strings.Contains(out.String(), "Victory is mine!") {
		t.Errorf("over %v, it says %q", m.over, &out)
	}
}

func TestThinking(t *testing.T) {
	start := time.Now()
	m := match{board: newBoard()}
	pickupMoves(&console{out: io.Discard, random: newRandom(1), think: 20 * time.Millisecond}, &m)
	if took := time.Since(start); took < 20*time.Millisecond {
		t.Errorf("it thought for %v", took)
	}
}
