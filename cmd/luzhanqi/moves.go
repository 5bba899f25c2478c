package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"luzhanqi/game"
	"luzhanqi/game/games"
	"luzhanqi/text"
)

type movesCommand struct {
	Game  string `help:"Game whose positions these are: ${games}." default:"${game}"`
	Rules string `help:"Rules that differ from the defaults." placeholder:"NAME=VALUE,…"`
}

// maxPosition bounds a line of input, far above any position with its legal moves.
const maxPosition = 1 << 20

// Run answers each line with a line. A line that cannot be answered is answered with its error, so
// that answers stay in step with positions.
func (m *movesCommand) Run(c *stdio) error {
	g, err := games.Find(m.Game)
	if err != nil {
		return usage(fmt.Errorf("--game: %w", err))
	}
	rules, err := game.ParseRules(m.Rules, g.Options())
	if err != nil {
		return usage(fmt.Errorf("--rules: %w", err))
	}
	out := bufio.NewWriter(c.out)
	defer out.Flush()
	answers := json.NewEncoder(out)
	answers.SetEscapeHTML(false)
	in := bufio.NewReaderSize(c.in, maxPosition)
	bad := 0
	for number := 1; err != io.EOF; number++ {
		var line []byte
		line, err = in.ReadSlice('\n')
		wrong := error(nil)
		for errors.Is(err, bufio.ErrBufferFull) {
			wrong = fmt.Errorf("longer than %d bytes", maxPosition)
			_, err = in.ReadSlice('\n')
		}
		if err != nil && err != io.EOF {
			return fmt.Errorf("read positions: %w", err)
		}
		if line = bytes.TrimSpace(line); len(line) > 0 {
			answer := any(nil)
			if wrong == nil {
				answer, wrong = g.Analyse(rules, line)
			}
			if wrong != nil {
				bad++
				answer = map[string]string{"error": fmt.Sprintf("line %d: %v", number, wrong)}
			}
			answers.Encode(answer) // Flush says if it failed
		}
		if in.Buffered() == 0 { // someone may be waiting for this answer before asking on
			if err := out.Flush(); err != nil {
				return fmt.Errorf("write answers: %w", err)
			}
		}
	}
	if bad > 0 {
		return failure{exitDisagrees, fmt.Errorf("%s could not be answered", text.Count(bad, "line"))}
	}
	return nil
}

type perftCommand struct {
	Game   string `help:"Game: ${games}." default:"${game}"`
	Rules  string `help:"Rules that differ from the defaults." placeholder:"NAME=VALUE,…"`
	SetUp1 string `name:"setup-1" help:"Player 1's set-up in its own frame: 'A1:3 A2:7 …' or '((A1 3) (A2 7) …)'." placeholder:"SETUP"`
	SetUp2 string `name:"setup-2" help:"Player 2's set-up in its own frame." placeholder:"SETUP"`
	Depth  int    `arg:"" help:"Length of the sequences."`
}

func (p *perftCommand) Run(c *stdio) error {
	g, err := games.Find(p.Game)
	if err != nil {
		return usage(fmt.Errorf("--game: %w", err))
	}
	rules, err := game.ParseRules(p.Rules, g.Options())
	if err != nil {
		return usage(fmt.Errorf("--rules: %w", err))
	}
	const maxDepth = 30
	if p.Depth < 0 || p.Depth > maxDepth {
		return usage(fmt.Errorf("depth %d: allowed are 0 to %d", p.Depth, maxDepth))
	}
	var setUps [2]game.SetUp
	for i, text := range []string{p.SetUp1, p.SetUp2} {
		switch {
		case !g.HasSetUp() && text != "":
			return usage(fmt.Errorf("--setup-%d: %s has no set-ups", i+1, g.Name()))
		case g.HasSetUp() && text == "":
			return usage(fmt.Errorf("--setup-%d is missing: %s needs both set-ups", i+1, g.Name()))
		case g.HasSetUp():
			if setUps[i], err = g.ParseSetUp(text); err != nil {
				return usage(fmt.Errorf("--setup-%d: %w", i+1, err))
			}
		}
	}
	pos, err := g.New(rules, setUps)
	if err != nil {
		return usage(err)
	}
	fmt.Fprintln(c.out, game.Perft(pos, p.Depth))
	return nil
}
