package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"luzhanqi/game"
	"luzhanqi/game/games"
	"luzhanqi/player/levels"
	"luzhanqi/text"
)

type gamesCommand struct {
	Game string `arg:"" optional:"" help:"Show all rules of this game, and its conversations: its page." placeholder:"GAME"`
	JSON bool   `name:"json" help:"Write JSON Lines: an object for each game."`
}

// gameEntry lists what can be chosen in one game.
type gameEntry struct {
	Name      string          `json:"name"`
	Title     string          `json:"title"`
	Protocols []protocolEntry `json:"protocols"` // the default first
	Limits    limitsEntry     `json:"limits"`    // the defaults
	Levels    []levelEntry    `json:"levels"`    // the weakest first
	Rules     []ruleEntry     `json:"rules"`

	limits string // for people
}

type protocolEntry struct {
	Name     string   `json:"name"`
	Summary  string   `json:"summary"`
	Adapters []string `json:"adapters,omitempty"` // the default first
}

type limitsEntry struct {
	SetUp    float64 `json:"setup_ms,omitempty"`
	First    float64 `json:"first_ms,omitempty"`
	Move     float64 `json:"move_ms"`
	Start    float64 `json:"start_ms,omitempty"`
	Grace    float64 `json:"grace_ms"`
	MaxPlies int     `json:"max_plies"`
}

type levelEntry struct {
	Name    string `json:"name"`
	Summary string `json:"summary"`
}

type ruleEntry struct {
	Name    string   `json:"name"`
	Allowed []string `json:"allowed"` // the default first
	Help    string   `json:"help"`
}

func (m *gamesCommand) Run(c *stdio) error {
	if m.Game != "" {
		g, err := games.Find(m.Game)
		if err != nil {
			return usage(err)
		}
		taught, ok := g.(game.Taught)
		if !ok {
			return usage(fmt.Errorf("game %s has no page", m.Game))
		}
		_, err = fmt.Fprint(c.out, taught.Page())
		return err
	}
	var out bytes.Buffer
	lines := json.NewEncoder(&out)
	lines.SetEscapeHTML(false)
	for i, g := range games.All {
		entry := entryOf(g)
		if m.JSON {
			lines.Encode(entry)
			continue
		}
		if i > 0 {
			fmt.Fprintln(&out)
		}
		entry.print(&out)
	}
	c.out.Write(out.Bytes()) // it remembers failures
	return nil
}

func entryOf(g game.Game) gameEntry {
	e := gameEntry{Name: g.Name(), Title: g.Title(), Rules: []ruleEntry{}, limits: limitsText(g.Limits(), g.HasSetUp())}
	for _, p := range g.Protocols() {
		entry := protocolEntry{Name: p.Name(), Summary: p.Summary()}
		if adaptable, ok := p.(game.Adaptable); ok {
			entry.Adapters = adaptable.Adapters()
		}
		e.Protocols = append(e.Protocols, entry)
	}
	for _, l := range levels.Of(g) {
		e.Levels = append(e.Levels, levelEntry{l.Name, l.Summary})
	}
	for _, o := range g.Options() {
		e.Rules = append(e.Rules, ruleEntry{o.Name, o.Allowed, o.Help})
	}
	l := g.Limits()
	e.Limits = limitsEntry{Move: text.Milliseconds(l.Move), First: text.Milliseconds(l.First), Start: text.Milliseconds(l.Start), Grace: text.Milliseconds(l.Grace), MaxPlies: l.MaxPlies}
	if g.HasSetUp() {
		e.Limits.SetUp = text.Milliseconds(l.SetUp)
	}
	return e
}

// columns is how wide a list for people is: that of the narrowest usual terminal.
const columns = 80

// print writes a list for people.
func (e *gameEntry) print(out io.Writer) {
	fmt.Fprintf(out, "%s: %s\n", e.Name, e.Title)
	width := 0
	for _, p := range e.Protocols {
		width = max(width, len(p.Name))
	}
	for _, l := range e.Levels {
		width = max(width, len(l.Name))
	}
	for _, r := range e.Rules {
		width = max(width, len(r.Name))
	}
	row := func(heading, name, what string) {
		left := fmt.Sprintf("  %-8s  ", heading)
		if name != "" {
			left += fmt.Sprintf("%-*s  ", width, name)
		}
		for _, line := range text.Wrap(what, columns-len(left)) {
			fmt.Fprintf(out, "%s%s\n", left, line)
			left = strings.Repeat(" ", len(left))
		}
	}
	for i, p := range e.Protocols {
		row(heading(i, "dialects"), p.Name, p.Summary)
		if len(p.Adapters) > 0 {
			row("", strings.Repeat(" ", width), "adapters: "+strings.Join(p.Adapters, ", "))
		}
	}
	row("limits", "", e.limits)
	for i, l := range e.Levels {
		row(heading(i, "levels"), l.Name, l.Summary)
	}
	for i, r := range e.Rules {
		row(heading(i, "rules"), r.Name, strings.Join(r.Allowed, " | ")+": "+r.Help)
	}
}

func heading(i int, title string) string {
	if i > 0 {
		return ""
	}
	return title
}

// limitsText says what the default limits are.
func limitsText(l game.Limits, hasSetUp bool) string {
	parts := []string{fmt.Sprintf("%v a move", l.Move)}
	if l.First > 0 {
		parts = append(parts, fmt.Sprintf("%v for the first", l.First))
	}
	if hasSetUp {
		parts = append(parts, fmt.Sprintf("%v for the set-up", l.SetUp))
	}
	if l.Start > 0 {
		parts = append(parts, fmt.Sprintf("%v more for each start", l.Start))
	}
	parts = append(parts, fmt.Sprintf("%v grace", l.Grace))
	if l.MaxPlies > 0 {
		parts = append(parts, "drawn after "+text.Count(l.MaxPlies, "ply"))
	}
	return strings.Join(parts, ", ")
}
