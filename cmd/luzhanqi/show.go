package main

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"strings"
	"time"

	"github.com/schollz/progressbar/v3"
	"golang.org/x/term"

	"luzhanqi/game"
	"luzhanqi/referee"
)

// show presents a match while it is played: as boards, as lines, or as JSON.
type show struct {
	*console
	series *referee.Match
	flags  *matchCommand
	boards bool // draw every move
	single bool // one game: its moves are worth showing
	bar    *progressbar.ProgressBar
	score  referee.Score
	match  matchRating
	began  time.Time
	json   *json.Encoder
}

func newShow(c *console, s *referee.Match, m *matchCommand) *show {
	w := &show{console: c, series: s, flags: m, began: time.Now(), json: json.NewEncoder(c.out)}
	w.json.SetEscapeHTML(false)
	plain := !m.JSON && !m.Quiet
	terminal := term.IsTerminal(int(c.out.Fd()))
	w.boards = plain && (m.Board == "on" || m.Board == "auto" && terminal && s.Concurrency == 1 && s.Games <= 2)
	w.single = plain && s.Games == 1
	if !m.JSON && s.Games > 2 && !w.boards && term.IsTerminal(int(c.err.Fd())) {
		w.bar = progressbar.NewOptions(s.Games,
			progressbar.OptionSetWriter(c.err), progressbar.OptionShowCount(), progressbar.OptionShowIts(),
			progressbar.OptionSetItsString("games"), progressbar.OptionSetPredictTime(true),
			progressbar.OptionClearOnFinish(), progressbar.OptionThrottle(100*time.Millisecond))
	}
	return w
}

func (w *show) begin() {
	names := w.names()
	if w.flags.Quiet {
		return
	}
	if w.flags.JSON {
		w.event(map[string]any{
			"event": "match", "game": w.series.Game.Name(), "players": names, "games": w.series.Games, "seed": w.series.Seed,
			"rules": w.series.Rules.String(), "concurrency": w.series.Concurrency,
			"time_ms": w.series.Limits.Move.Milliseconds(), "setup_ms": w.series.Limits.SetUp.Milliseconds(), "start_ms": w.series.Limits.Start.Milliseconds(),
			"grace_ms": w.series.Limits.Grace.Milliseconds(), "max_plies": w.series.Limits.MaxPlies,
		})
		return
	}
	fmt.Fprintf(w.out, "%s: %s against %s, %s, %v a move, seed %d\n",
		w.series.Game.Name(), names[0], names[1], counted(w.series.Games, "game"), w.series.Limits.Move, w.series.Seed)
}

func (w *show) names() [2]string {
	return [2]string{w.series.Entrants[0].Name, w.series.Entrants[1].Name}
}

func (w *show) event(e any) {
	if err := w.json.Encode(e); err != nil {
		w.log.Error().Err(err).Msg("cannot write to standard output")
	}
}

// watch follows one game, if moves are shown at all.
func (w *show) watch(g *referee.Game) referee.Observer {
	if !w.boards && !w.single {
		return nil
	}
	return &follower{show: w, number: g.Number, names: [2]string{g.Entrants[0].Name, g.Entrants[1].Name}}
}

func (w *show) ended(r referee.Result) {
	w.score.Add(r)
	paired := w.match.add(r)
	names := w.names()
	seats := [2]string{names[r.Seats[0]], names[r.Seats[1]]}
	switch {
	case w.flags.JSON && w.flags.Quiet:
		return
	case w.flags.JSON:
		w.event(map[string]any{
			"event": "game", "number": r.Number, "attempt": r.Attempt, "players": seats, "ending": r.Ending,
			"took_ms": r.Took.Milliseconds(), "record": r.Record,
		})
		return
	case w.bar != nil:
		w.bar.Describe(fmt.Sprintf("%s %d – %d %s, %d drawn, %v", names[0], w.score.Wins[0], w.score.Wins[1], names[1], w.score.Draws[0], w.match.verdict()))
		w.bar.Set(w.score.Games)
	case !w.flags.Quiet:
		fmt.Fprintf(w.out, "game %d: %s – %s: %s, %s\n", r.Number, seats[0], seats[1], r.Ending.Reason, counted(r.Ending.Plies, "ply"))
		if paired {
			fmt.Fprintf(w.out, "  after %s: %v\n", counted(w.match.tally.Pairs().Total(), "pair"), w.match.verdict())
		}
	}
	if !w.flags.Quiet && (w.bar == nil || r.Ending.Fault != nil && r.Ending.Code != referee.Resigned) {
		w.explain(r, seats)
	}
}

// explain shows what a student needs to see after a foul.
func (w *show) explain(r referee.Result, seats [2]string) {
	e := r.Ending
	if e.Fault == nil || e.Code == referee.Resigned || e.Exit == "" {
		return
	}
	if w.bar != nil {
		fmt.Fprintf(w.out, "\ngame %d: %s – %s: %s\n", r.Number, seats[0], seats[1], e.Reason)
	}
	writeFoul(w.out, e)
	if r.Record != "" {
		fmt.Fprintf(w.out, "  see it again: luzhanqi replay --board=on %s\n", r.Record)
	}
}

// printable keeps a program's output from steering the terminal.
func printable(line string) string {
	return strings.Map(func(r rune) rune {
		if r < ' ' && r != '\t' || r >= 0x7f && r < 0xa0 {
			return '·'
		}
		return r
	}, line)
}

type playerSummary struct {
	Name   string `json:"name"`
	Wins   int    `json:"wins"`
	Losses int    `json:"losses"`
	Draws  int    `json:"draws"`
}

func (w *show) summary(score referee.Score, err error) {
	if w.bar != nil {
		fmt.Fprint(w.err, "\r\x1b[2K") // its own Clear leaves the line when the bar is not full
	}
	var players [2]playerSummary
	for i, name := range w.names() {
		players[i] = playerSummary{name, score.Wins[i], score.Losses[i], score.Draws[i]}
	}
	took := time.Since(w.began)
	if w.flags.JSON {
		endings := map[referee.Code]int{}
		for code, n := range score.Endings {
			endings[code] = n
		}
		summary := map[string]any{
			"event": "summary", "games": score.Games, "players": players, "voids": score.Voids,
			"endings": endings, "seed": w.series.Seed, "took_ms": took.Milliseconds(), "complete": err == nil,
		}
		maps.Copy(summary, w.match.verdict().fields())
		if err != nil {
			summary["error"] = err.Error()
		}
		w.event(summary)
		return
	}
	width := max(len(players[0].Name), len(players[1].Name))
	for i, p := range players {
		points := float64(p.Wins) + float64(p.Draws)/2
		percent := ""
		if score.Games > 0 {
			percent = fmt.Sprintf("  %5.1f %%", 100*points/float64(score.Games))
		}
		fmt.Fprintf(w.out, "%-*s  %s  %s  %s%s\n", width, p.Name,
			counted(score.Wins[i], "win"), counted(p.Losses, "loss"), counted(p.Draws, "draw"), percent)
	}
	if score.Games > 1 {
		fmt.Fprintf(w.out, "%s: %v\n", players[0].Name, w.match.verdict())
	}
	var endings []string
	for _, code := range referee.Codes {
		if n := score.Endings[code]; n > 0 {
			endings = append(endings, fmt.Sprintf("%s %d", code, n))
		}
	}
	fmt.Fprintf(w.out, "%s in %v; endings: %s; seed %d\n",
		counted(score.Games, "game"), took.Round(time.Millisecond), orElse(strings.Join(endings, ", "), "none"), w.series.Seed)
}

func counted(n int, noun string) string {
	switch {
	case n == 1:
		return "1 " + noun
	case noun == "loss":
		return fmt.Sprintf("%d losses", n)
	case noun == "ply":
		return fmt.Sprintf("%d plies", n)
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

// follower shows the moves of one game: as boards that replace each other on a terminal, or as text.
type follower struct {
	referee.NoObserver
	*show
	number int
	names  [2]string
	text   []string
	drawn  time.Time
}

func (f *follower) Moved(_, after game.Position, p referee.Played) {
	name := f.series.Game.FormatMove(p.Move)
	if !f.boards {
		f.text = append(f.text, fmt.Sprintf("%3d %-7s", after.Ply(), name))
		return
	}
	if f.terminal() && os.Getenv("TERM") != "dumb" {
		if wait := f.flags.Pace - time.Since(f.drawn); !f.drawn.IsZero() && wait > 0 {
			time.Sleep(wait)
		}
		fmt.Fprint(f.out, "\x1b[H\x1b[2J")
	}
	f.drawn = time.Now()
	mover := after.Mover().Other()
	fmt.Fprintf(f.out, "game %d of %d   ▲ %s – %s ▼   score %s – %s\n", f.number, f.series.Games, f.names[0], f.names[1],
		points(f.score, 0), points(f.score, 1))
	fmt.Fprintf(f.out, "ply %d: %s plays %s (%v)\n", after.Ply(), f.names[mover], name, p.Took.Round(time.Microsecond))
	if p.Drawn {
		fmt.Fprintln(f.out, "  drawn by the referee: any move was answered")
	}
	for line := range strings.Lines(p.Comment) {
		fmt.Fprintf(f.out, "  %s says: %s\n", f.names[mover], printable(strings.TrimRight(line, "\r\n")))
	}
	fmt.Fprintln(f.out)
	fmt.Fprintln(f.out, after.Draw(game.Style{Color: colorful(f.out.File), Last: &p.Move}))
}

func points(s referee.Score, i int) string {
	return strings.TrimSuffix(fmt.Sprintf("%.1f", float64(s.Wins[i])+float64(s.Draws[i])/2), ".0")
}

func (f *follower) Ended(pos game.Position, _ *referee.Ending) {
	if f.boards || pos == nil {
		return
	}
	const perLine = 8
	for i := 0; i < len(f.text); i += perLine {
		fmt.Fprintln(f.out, strings.TrimRight(strings.Join(f.text[i:min(i+perLine, len(f.text))], "  "), " "))
	}
	fmt.Fprintf(f.out, "\n%s\n", pos.Draw(game.Style{Color: colorful(f.out.File)}))
}

func (f *follower) terminal() bool { return term.IsTerminal(int(f.out.Fd())) }

// colorful says whether a file is a terminal whose user has not asked for plain text.
func colorful(f *os.File) bool {
	return term.IsTerminal(int(f.Fd())) && os.Getenv("NO_COLOR") == "" && os.Getenv("TERM") != "dumb"
}
