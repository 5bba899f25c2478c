package console

import (
	"bytes"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"luzhanqi/game"
	"luzhanqi/game/gastank"
	"luzhanqi/text"
)

// Finding is something that an adapter has recognised in a program's output.
type Finding struct {
	Line  int    // of the output, from 1
	Kind  string // "question", "prompt", "move", "example", "board", "refusal", "end", or "escape codes"
	Text  string // the match, cut
	Means string // what the referee makes of it
	at    int    // where it begins in the text
}

func (f Finding) String() string {
	return fmt.Sprintf("line %d: %s %q: %s", f.Line, f.Kind, f.Text, f.Means)
}

// Trial lists what an adapter recognises in captured output, in the order of the output: all places
// where a question or a prompt would count if the output stopped there, all moves, boards, refusals and
// ends; of questions and of prompts one a line. It looks at no more than 1 MiB, and returns at most 2,000 findings of each kind.
func Trial(output []byte, a *Adapter) []Finding {
	const maxTried = 1 << 20
	output = output[:min(len(output), maxTried)]
	c := clean(output)
	t := trial{text: c.text}
	if codes := bytes.Count(output, []byte{0x1b}); codes > 0 {
		t.found = append(t.found, Finding{Line: 1, Kind: "escape codes", Means: fmt.Sprintf("%d taken out", codes)})
	}
	for i := range a.questions {
		q := &a.questions[i]
		means := fmt.Sprintf("types %q if the other program moves first, %q if it moves second", q.first, q.second)
		t.all("question", means, q.anywhere)
	}
	t.all("prompt", fmt.Sprintf("the opponent's move is typed, such as %q", a.typed(game.Move{From: 8 + 3, To: 3*8 + 4}, nil)), a.prompts...)
	for _, m := range a.readMoves(c.text, game.Second) {
		line := c.text[bytes.LastIndexByte(c.text[:m.end], '\n')+1 : m.end]
		t.add("move", m.end-1, string(line), "the program, playing down, moves "+gastank.MoveName(m.move))
	}
	if a.board != nil {
		for _, b := range a.board.read(c.text, game.Second) {
			t.add("board", b.end-1, "", b.board.String())
		}
	}
	t.all("example", "no move of the program's", a.examples...)
	t.all("refusal", "after a legal move the program is at fault", a.refusals...)
	t.all("end", "counts for nothing unless the game is over", a.ends...)
	slices.SortStableFunc(t.found, func(a, b Finding) int { return a.at - b.at })
	return slices.CompactFunc(t.found, func(a, b Finding) bool { // patterns of one list may overlap
		return a.Line == b.Line && a.Kind == b.Kind && (a.Kind == "prompt" || a.Kind == "question")
	})
}

type trial struct {
	text  []byte
	found []Finding
}

func (t *trial) all(kind, means string, patterns ...*regexp.Regexp) {
	const maxMatches = 2000
	for _, re := range patterns {
		for _, span := range re.FindAllIndex(t.text, maxMatches) {
			if span[0] < span[1] {
				t.add(kind, span[0], string(t.text[span[0]:span[1]]), means)
			}
		}
	}
}

func (t *trial) add(kind string, at int, match, means string) {
	line := bytes.Count(t.text[:at], []byte{'\n'}) + 1
	t.found = append(t.found, Finding{line, kind, text.Shorten(strings.TrimSpace(match), 80), means, at})
}
