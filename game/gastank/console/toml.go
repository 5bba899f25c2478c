package console

import (
	"errors"
	"fmt"
	"regexp"
	"strings"
	"time"

	"luzhanqi/game"
	"luzhanqi/text"
)

// adapterFile is an adapter as it stands in a TOML file.
type adapterFile struct {
	About    string  `toml:"about"`
	Like     string  `toml:"like"`
	Pty      bool    `toml:"pty"`
	Silence  *string `toml:"silence"`
	Newline  *string `toml:"newline"`
	Question []struct {
		Match  string  `toml:"match"`
		Answer *string `toml:"answer"`
		First  *string `toml:"first"`
		Second *string `toml:"second"`
	} `toml:"question"`
	Prompt struct {
		Match []string `toml:"match"`
	} `toml:"prompt"`
	Type struct {
		Format   *string `toml:"format"`
		Case     string  `toml:"case"`
		Mirrored bool    `toml:"mirrored"`
		Echo     bool    `toml:"echo"`
	} `toml:"type"`
	Move struct {
		Match    []string `toml:"match"`
		Example  []string `toml:"example"`
		Which    string   `toml:"which"`
		Mirrored bool     `toml:"mirrored"`
	} `toml:"move"`
	Board *struct {
		Row      string `toml:"row"`
		Cell     string `toml:"cell"`
		Computer string `toml:"computer"`
		Mirrored bool   `toml:"mirrored"`
	} `toml:"board"`
	Refusal struct {
		Match []string `toml:"match"`
	} `toml:"refusal"`
	End struct {
		Match []string `toml:"match"`
	} `toml:"end"`
}

// The bounds of an adapter: each pattern and each text to type in bytes, and the patterns of each list.
const (
	maxPattern  = 1000
	maxPatterns = 64
	maxTyped    = 80
)

// allowedKeys are told to who has written another.
const allowedKeys = "allowed are about, like, pty, silence, newline, [[question]] (match, answer, first, second), [prompt] (match), [type] (format, case, mirrored, " +
	"echo), [move] (match, example, which, mirrored), [board] (row, cell, computer, mirrored), [refusal] (match) and [end] (match), which " +
	"game/gastank/console/adapters/hatchback.toml explains"

// ReadAdapter reads an adapter from a TOML file. Values that are not allowed are errors, as unknown keys are.
func ReadAdapter(text []byte) (*Adapter, error) {
	var file adapterFile
	if err := game.DecodeAdapter(text, &file, allowedKeys); err != nil {
		return nil, err
	}
	if file.Like != "" {
		built, err := builtInText(file.Like)
		if err != nil {
			return nil, fmt.Errorf("adapter: like = %w", err)
		}
		file = adapterFile{}
		for _, over := range [][]byte{built, text} {
			if err := game.DecodeAdapter(over, &file, allowedKeys); err != nil {
				return nil, err
			}
		}
	}
	a, err := file.compile()
	if err != nil {
		return nil, fmt.Errorf("adapter: %w", err)
	}
	return a, nil
}

func (f *adapterFile) compile() (*Adapter, error) {
	a := &Adapter{about: f.About, pty: f.Pty, silence: 50 * time.Millisecond, newline: "\n", mirrored: f.Move.Mirrored}
	var err error
	if f.Silence != nil {
		a.silence, err = time.ParseDuration(*f.Silence)
		if err != nil || a.silence < time.Millisecond || a.silence > 2*time.Second {
			return nil, fmt.Errorf("silence = %s: allowed are durations from 1ms to 2s", text.Quote(*f.Silence, 40))
		}
	}
	if f.Newline != nil {
		if a.newline = *f.Newline; a.newline != "\n" && a.newline != "\r" && a.newline != "\r\n" && a.newline != "" {
			return nil, fmt.Errorf(`newline = %s: allowed are "\n", "\r", "\r\n" and ""`, text.Quote(a.newline, 40))
		}
	}
	for _, step := range []func(*Adapter) error{f.compileQuestions, f.compileTyping, f.compileMoves, f.compileBoard} {
		if err := step(a); err != nil {
			return nil, err
		}
	}
	if a.prompt, err = patterns("prompt.match", f.Prompt.Match, ending); err != nil {
		return nil, err
	}
	if a.prompts, err = patterns("prompt.match", f.Prompt.Match, "%s"); err != nil {
		return nil, err
	}
	if a.refusals, err = patterns("refusal.match", f.Refusal.Match, "%s"); err != nil {
		return nil, err
	}
	a.ends, err = patterns("end.match", f.End.Match, "%s")
	return a, err
}

// ending makes a pattern match only at the end of the output, blanks after it aside.
const ending = `(?:%s)\s*\z`

func patterns(key string, all []string, form string) ([]*regexp.Regexp, error) {
	if len(all) > maxPatterns {
		return nil, fmt.Errorf("%s: has %d patterns, allowed are %d", key, len(all), maxPatterns)
	}
	var compiled []*regexp.Regexp
	for i, text := range all {
		re, err := pattern(fmt.Sprintf("%s[%d]", key, i), text, form)
		if err != nil {
			return nil, err
		}
		compiled = append(compiled, re)
	}
	return compiled, nil
}

func pattern(key, text, form string) (*regexp.Regexp, error) {
	if text == "" {
		return nil, fmt.Errorf("%s: is missing or empty, expected a regular expression", key)
	}
	if len(text) > maxPattern {
		return nil, fmt.Errorf("%s: has %d bytes, allowed are %d", key, len(text), maxPattern)
	}
	if _, err := regexp.Compile(text); err != nil { // alone: its parentheses must be its own
		return nil, fmt.Errorf("%s: %w", key, err)
	}
	re, err := regexp.Compile(fmt.Sprintf(form, text))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", key, err)
	}
	return re, nil
}

func (f *adapterFile) compileQuestions(a *Adapter) error {
	if len(f.Question) > maxPatterns {
		return fmt.Errorf("question: there are %d, allowed are %d", len(f.Question), maxPatterns)
	}
	for i, asked := range f.Question {
		key := fmt.Sprintf("question[%d]", i)
		q := question{}
		switch {
		case asked.Answer != nil && asked.First == nil && asked.Second == nil:
			q.first, q.second = *asked.Answer, *asked.Answer
		case asked.Answer == nil && asked.First != nil && asked.Second != nil:
			q.first, q.second = *asked.First, *asked.Second
		default:
			return fmt.Errorf("%s: expected either answer, or first and second", key)
		}
		for _, line := range []string{q.first, q.second} {
			if len(line) > maxTyped || strings.ContainsAny(line, "\r\n") {
				return fmt.Errorf("%s: answer %s: allowed is one line of at most %d bytes", key, text.Quote(line, 40), maxTyped)
			}
		}
		var err error
		if q.atEnd, err = pattern(key+".match", asked.Match, ending); err != nil {
			return err
		}
		if q.anywhere, err = pattern(key+".match", asked.Match, "%s"); err != nil {
			return err
		}
		a.questions = append(a.questions, q)
	}
	return nil
}

func (f *adapterFile) compileTyping(a *Adapter) error {
	a.typing = typing{format: "{from}{to}", mirrored: f.Type.Mirrored, echo: f.Type.Echo}
	if f.Type.Format != nil {
		a.typing.format = *f.Type.Format
	}
	if n := len(a.typing.format); n > maxTyped || strings.Count(a.typing.format, "{from}") != 1 || strings.Count(a.typing.format, "{to}") != 1 {
		return fmt.Errorf("type.format = %s: expected {from} and {to} once each, in at most %d bytes", text.Quote(a.typing.format, 40), maxTyped)
	}
	switch f.Type.Case {
	case "", "upper":
	case "lower":
		a.typing.lower = true
	case "example":
		a.typing.example = true
	default:
		return fmt.Errorf("type.case = %s: allowed are upper, lower and example", text.Quote(f.Type.Case, 40))
	}
	return nil
}

func (f *adapterFile) compileMoves(a *Adapter) error {
	compiled, err := patterns("move.match", f.Move.Match, "%s")
	if err != nil {
		return err
	}
	if len(compiled) == 0 && f.Board == nil {
		return errors.New("move.match: is missing, and so is [board]: nothing says how the program's moves are found")
	}
	for i, re := range compiled {
		from, to := re.SubexpIndex("from"), re.SubexpIndex("to")
		if from < 0 && to < 0 && re.NumSubexp() == 1 {
			from, to = 1, 1
		}
		if from < 0 || to < 0 {
			return fmt.Errorf("move.match[%d]: expected the groups (?P<from>…) and (?P<to>…), or one group with both squares", i)
		}
		a.moves = append(a.moves, movePattern{re, from, to})
	}
	if a.examples, err = patterns("move.example", f.Move.Example, "%s"); err != nil {
		return err
	}
	switch f.Move.Which {
	case "", "last":
	case "first":
		a.which = firstMove
	case "legal":
		a.which = legalMove
	default:
		return fmt.Errorf("move.which = %s: allowed are last, first and legal", text.Quote(f.Move.Which, 40))
	}
	return nil
}

func (f *adapterFile) compileBoard(a *Adapter) error {
	if f.Board == nil {
		return nil
	}
	p := &boardPattern{mirrored: f.Board.Mirrored}
	var err error
	if p.row, err = pattern("board.row", f.Board.Row, "%s"); err != nil {
		return err
	}
	if p.cells = p.row.SubexpIndex("cells"); p.cells < 0 {
		return errors.New("board.row: expected the group (?P<cells>…) with the eight cells of a rank")
	}
	p.rank = max(0, p.row.SubexpIndex("rank"))
	if f.Board.Cell == "" {
		f.Board.Cell = `[KQBNkqbn][0-3]?|[-.]+`
	}
	if p.cell, err = pattern("board.cell", f.Board.Cell, "%s"); err != nil {
		return err
	}
	switch f.Board.Computer {
	case "", "capitals":
	case "small":
		p.small = true
	default:
		return fmt.Errorf("board.computer = %s: allowed are capitals and small", text.Quote(f.Board.Computer, 40))
	}
	a.board = p
	return nil
}
