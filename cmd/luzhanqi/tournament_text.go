package main

import (
	"context"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"strings"

	"golang.org/x/term"

	"luzhanqi/referee"
	"luzhanqi/text"
	"luzhanqi/tournament"
	"luzhanqi/tournament/standings"
	"luzhanqi/tournament/store"
)

// terminalWidth is that of standard output; 0: it is no terminal.
func terminalWidth(c *stdio) int {
	width, _, err := term.GetSize(int(c.out.Fd()))
	if err != nil {
		return 0
	}
	return width
}

// storeName is the store's directory as a person would write it.
func storeName(dir string) string {
	if here, err := os.Getwd(); err == nil {
		if short, err := filepath.Rel(here, dir); err == nil && !strings.HasPrefix(short, "..") {
			return short
		}
	}
	return dir
}

// bracket tells the decisions of a knockout.
func bracket(t *tournament.Tournament, course tournament.Rounds) (lines []string) {
	for _, d := range course.Decisions {
		line := fmt.Sprintf("round %d: %s beat %s", d.Round, t.Players[d.Winner].Name, t.Players[d.Loser].Name)
		if d.Replays > 0 {
			line += fmt.Sprintf(" after %s", text.Count(d.Replays, "further pair"))
		}
		if d.BySeed {
			line += ", tied to the last, as the earlier seed"
		}
		lines = append(lines, line)
	}
	if winner := t.Winner(course); winner >= 0 {
		lines = append(lines, fmt.Sprintf("winner: %s", t.Players[winner].Name))
	}
	return lines
}

// standing is the table with what the schedule has decided apart from games, for JSON.
func standing(ctx context.Context, t *tournament.Tournament, s *store.Store, table *standings.Table) (map[string]any, error) {
	course, err := t.Rounds(ctx, s)
	if err != nil {
		return nil, err
	}
	e := map[string]any{"standings": table, "complete": course.Complete, "byes": course.Byes, "decisions": course.Decisions}
	if winner := t.Winner(course); winner >= 0 {
		e["winner"] = t.Players[winner].Name
	}
	if t.Test != nil {
		if e["test"], err = t.Verdict(ctx, s); err != nil {
			return nil, err
		}
	}
	given, err := t.Given(ctx, s)
	maps.Copy(e, givenFields(given.All))
	return e, err
}

// writeStandings writes the table, what a knockout has decided, and the cross-table.
func writeStandings(ctx context.Context, c *stdio, t *tournament.Tournament, s *store.Store, table *standings.Table, cross bool) error {
	width := terminalWidth(c)
	if err := table.Text(c.out, width); err != nil {
		return err
	}
	course, err := t.Rounds(ctx, s)
	if err != nil {
		return err
	}
	for _, line := range bracket(t, course) {
		fmt.Fprintln(c.out, line)
	}
	for _, bye := range course.Byes {
		fmt.Fprintf(c.out, "round %d: %s had no opponent\n", bye.Round, t.Players[bye.Player].Name)
	}
	if t.Test != nil {
		verdict, err := t.Verdict(ctx, s)
		if err != nil {
			return err
		}
		fmt.Fprintln(c.out, verdict)
	}
	if cross {
		fmt.Fprintln(c.out)
		if err := table.CrossText(c.out, width); err != nil {
			return err
		}
	}
	given, err := t.Given(ctx, s)
	if given.All.Mattered() {
		fmt.Fprintln(c.out, given.All.Said())
	}
	return err
}

// gameLine is a game in one line.
func gameLine(t *tournament.Tournament, r *store.Result) string {
	return text.Printable(fmt.Sprintf("%s: %s – %s: %s, %s", r.ID, t.Players[r.Players[0]].Name, t.Players[r.Players[1]].Name, r.Ending.Reason, text.Count(r.Ending.Plies, "ply")))
}

// writeFoul shows what a student needs to see after a foul.
func writeFoul(w io.Writer, e *referee.Ending) {
	if !e.Foul() || e.Exit == "" {
		return
	}
	fmt.Fprintf(w, "  the program %s\n  last lines (> to it, < from it):\n", text.Printable(e.Exit))
	for _, line := range e.LastLines {
		fmt.Fprintf(w, "    %s\n", text.Printable(line))
	}
	if e.StderrTail == "" {
		return
	}
	fmt.Fprintf(w, "  end of its standard error (%d bytes):\n", e.StderrBytes)
	lines := strings.Split(strings.TrimRight(e.StderrTail, "\n"), "\n")
	for _, line := range lines[max(0, len(lines)-20):] {
		fmt.Fprintf(w, "    %s\n", text.Printable(line))
	}
}
