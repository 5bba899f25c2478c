// Package console shows tournaments to people and to programs that read events: a [View] while one is played, on a terminal as
// standings that stay in their place, else as a line for each game, or as JSON Lines; and the lines and tables of the
// commands that show what was played. It decides nothing.
package console

import (
	"context"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"strings"

	"golang.org/x/term"

	"luzhanqi/process/load"
	"luzhanqi/referee"
	"luzhanqi/text"
	"luzhanqi/tournament"
	"luzhanqi/tournament/rating"
	"luzhanqi/tournament/standings"
	"luzhanqi/tournament/store"
)

// Output is standard output, or what stands for it.
type Output interface {
	io.Writer
	Fd() uintptr
}

// Width is that of the terminal that an output is; 0: it is none.
func Width(out Output) int {
	width, _, err := term.GetSize(int(out.Fd()))
	if err != nil {
		return 0
	}
	return width
}

// Short is a file or directory as a person would write it.
func Short(dir string) string {
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

// Standing is the table with what the schedule has decided apart from games, for JSON.
func Standing(ctx context.Context, t *tournament.Tournament, s *store.Store, table *standings.Table) (map[string]any, error) {
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
	distinct, err := s.Distinct(ctx)
	if err != nil {
		return nil, err
	}
	e["distinct"] = distinct.Distinct
	given, err := t.Given(ctx, s)
	maps.Copy(e, GivenFields(given.All))
	return e, err
}

// WriteStandings writes the table, what a knockout has decided, and the cross-table.
func WriteStandings(ctx context.Context, out Output, t *tournament.Tournament, s *store.Store, table *standings.Table, cross bool) error {
	width := Width(out)
	if err := table.Text(out, width); err != nil {
		return err
	}
	course, err := t.Rounds(ctx, s)
	if err != nil {
		return err
	}
	for _, line := range bracket(t, course) {
		fmt.Fprintln(out, line)
	}
	for _, bye := range course.Byes {
		fmt.Fprintf(out, "round %d: %s had no opponent\n", bye.Round, t.Players[bye.Player].Name)
	}
	if t.Test != nil {
		verdict, err := t.Verdict(ctx, s)
		if err != nil {
			return err
		}
		fmt.Fprintln(out, verdict)
	}
	if cross {
		fmt.Fprintln(out)
		if err := table.CrossText(out, width); err != nil {
			return err
		}
	}
	distinct, err := s.Distinct(ctx)
	if err != nil {
		return err
	}
	if distinct.Repeats() {
		fmt.Fprintln(out, Repeats(distinct))
	}
	given, err := t.Given(ctx, s)
	if given.All.Mattered() {
		fmt.Fprintln(out, given.All.Said())
	}
	return err
}

// GameLine is a game in one line.
func GameLine(t *tournament.Tournament, r *store.Result) string {
	return text.Printable(fmt.Sprintf("%s: %s – %s: %s, %s", r.ID, t.Players[r.Players[0]].Name, t.Players[r.Players[1]].Name, r.Ending.Reason, text.Count(r.Ending.Plies, "ply")))
}

// WriteFoul shows what a student needs to see after a foul.
func WriteFoul(w io.Writer, e *referee.Ending) {
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

// GivenFields are what programs were given because others had the processors, in events; nothing, if it did not matter.
func GivenFields(g load.Given) map[string]any {
	all := map[string]any{}
	if g.Starved > 0 {
		all["starved_ms"] = g.Starved
	}
	if g.Mattered() {
		all["given_turns"], all["given_ms"], all["late_turns"] = g.Turns, g.Time, g.Late
	}
	return all
}

// Repeats says what follows from games that went as others did.
func Repeats(d rating.Distinct) string {
	return d.String() + ": those that repeat others say nothing new; openings, random plies or {seed} in a command make them differ"
}
