package main

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"strings"
	"sync"
	"time"

	"golang.org/x/term"

	"luzhanqi/game"
	"luzhanqi/referee"
	"luzhanqi/referee/errlog"
	"luzhanqi/referee/textui"
	"luzhanqi/text"
	"luzhanqi/tournament/console"
	"luzhanqi/tournament/rating"
	"luzhanqi/tournament/store"
)

// show presents a match while it is played: as boards, as lines, or as JSON.
type show struct {
	*stdio
	match  *referee.Match
	flags  *matchCommand
	boards bool             // draw every move
	screen *textui.Terminal // where they are drawn
	single bool             // one game: its moves are worth showing
	live   *console.Live    // how far the match is, on standard error; nil: games are lines
	stop   chan struct{}    // ends drawing it
	drawer sync.WaitGroup
	rating rating.Sequential
	began  time.Time
	json   *json.Encoder

	mu    sync.Mutex // games at a time draw one board after the other, each as a whole
	drawn time.Time  // when the latest board was
	score referee.Score
}

func newShow(c *stdio, match *referee.Match, flags *matchCommand) *show {
	w := &show{stdio: c, match: match, flags: flags, began: time.Now(), json: c.lines()}
	plain := !flags.JSON && !flags.Quiet
	terminal := term.IsTerminal(int(c.out.Fd()))
	w.boards = plain && (flags.Board == "on" || flags.Board == "auto" && flags.Stderr != errlog.Show && terminal && match.Concurrency == 1 && match.Games <= 2)
	w.screen = &textui.Terminal{Out: c.out, Screen: w.boards && terminal && os.Getenv("TERM") != "dumb"}
	w.single = plain && match.Games == 1
	if !flags.JSON && match.Games > 2 && !w.boards && term.IsTerminal(int(c.err.Fd())) {
		w.live, w.stop = console.NewLive(c.err), make(chan struct{})
	}
	return w
}

func (w *show) begin() {
	names := w.names()
	for _, r := range w.match.Played {
		w.count(r)
	}
	if w.live != nil {
		w.drawer.Go(w.progress)
	}
	if w.flags.Quiet {
		return
	}
	if w.flags.JSON {
		begin := map[string]any{
			"event": "match", "game": w.match.Game.Name(), "players": names, "games": w.match.Games, "seed": w.match.Seed,
			"rules": w.match.Rules.String(), "concurrency": w.match.Concurrency,
			"time_ms": w.match.Limits.Move.Milliseconds(), "setup_ms": w.match.Limits.SetUp.Milliseconds(), "start_ms": w.match.Limits.Start.Milliseconds(),
			"grace_ms": w.match.Limits.Grace.Milliseconds(), "max_plies": w.match.Limits.MaxPlies,
		}
		if n := len(w.match.Played); n > 0 {
			begin["played"] = n
		}
		if first := w.match.Limits.First; first > 0 {
			begin["first_ms"] = first.Milliseconds()
		}
		if l := w.match.Limits; l.Total > 0 {
			begin["total_ms"], begin["increment_ms"] = l.Total.Milliseconds(), l.Increment.Milliseconds()
		}
		if rule := w.match.Adjudication; rule != nil {
			begin["adjudicate"] = rule.String()
		}
		w.event(begin)
		return
	}
	fmt.Fprintf(w.out, "%s: %s against %s, %s, %s, seed %d\n",
		w.match.Game.Name(), names[0], names[1], text.Count(w.match.Games, "game"), w.match.Limits.Pace(), w.match.Seed)
	if n := len(w.match.Played); n > 0 {
		fmt.Fprintf(w.out, "%s played before; going on\n", text.Count(n, "game"))
	}
}

// progress draws how far the match is, until it is stopped.
func (w *show) progress() {
	ticker := time.NewTicker(console.Redraw)
	defer ticker.Stop()
	for {
		select {
		case <-w.stop:
			return
		case <-ticker.C:
		}
		w.mu.Lock()
		w.draw()
		w.mu.Unlock()
	}
}

func (w *show) draw() {
	names, done := w.names(), w.score.Games()
	w.live.Draw([]string{
		fmt.Sprintf("%d of %d games%s", done, w.match.Games, console.Pace(done-len(w.match.Played), w.match.Games-done, time.Since(w.began))),
		text.Printable(fmt.Sprintf("%s %d – %d %s, %d drawn", names[0], w.score.Wins[0], w.score.Wins[1], names[1], w.score.Draws)),
		w.rating.Verdict().String(),
	})
}

func (w *show) names() [2]string {
	return [2]string{w.match.Entrants[0].Name, w.match.Entrants[1].Name}
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
	return &gameShow{show: w, number: g.Number, names: [2]string{g.Entrants[0].Name, g.Entrants[1].Name}}
}

// count counts a game; it says whether it has completed its pair.
func (w *show) count(r referee.Result) (paired bool) {
	result, course := store.Outcome(r.Ending), r.Course
	if r.Seats[0] != 0 {
		result = result.Swapped()
	}
	if course != "" {
		course = fmt.Sprintf("%d:%s", r.Seats[0], course)
	}
	return w.rating.Add(referee.Pair(r.Number), result, course)
}

func (w *show) ended(r referee.Result, score referee.Score) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.score = score
	w.screen.Leave()
	paired := w.count(r)
	names := w.names()
	seats := [2]string{names[r.Seats[0]], names[r.Seats[1]]}
	switch {
	case w.flags.JSON && w.flags.Quiet:
		return
	case w.flags.JSON:
		event := map[string]any{
			"event": "game", "number": r.Number, "attempt": r.Attempt, "players": seats, "ending": r.Ending,
			"took_ms": r.Took.Milliseconds(), "record": r.Record,
		}
		given := r.Given[0]
		given.Add(r.Given[1])
		maps.Copy(event, console.GivenFields(given))
		w.event(event)
		return
	case w.live != nil: // it is drawn four times a second
	case !w.flags.Quiet:
		fmt.Fprintf(w.out, "game %d: %s – %s: %s, %s\n", r.Number, seats[0], seats[1], r.Ending.Reason, text.Count(r.Ending.Plies, "ply"))
		if paired {
			fmt.Fprintf(w.out, "  after %s: %v\n", text.Count(w.rating.Tally.Pairs().Total(), "pair"), w.rating.Verdict())
		}
	}
	if !w.flags.Quiet && (w.live == nil || r.Ending.Foul()) {
		w.explain(r, seats)
	}
}

// explain shows what a student needs to see after a foul.
func (w *show) explain(r referee.Result, seats [2]string) {
	e := r.Ending
	if !e.Foul() || e.Exit == "" {
		return
	}
	if w.live != nil {
		w.live.Clear()
		fmt.Fprintf(w.out, "game %d: %s – %s: %s\n", r.Number, seats[0], seats[1], e.Reason)
	}
	console.WriteFoul(w.out, e)
	if r.Record != "" {
		fmt.Fprintf(w.out, "  see it again: %s replay --side %v --board=on %s\n", typed(), e.Fault, r.Record)
	}
}

type playerSummary struct {
	Name   string `json:"name"`
	Wins   int    `json:"wins"`
	Losses int    `json:"losses"`
	Draws  int    `json:"draws"`
}

func (w *show) summary(score referee.Score, err error) {
	if w.live != nil {
		close(w.stop)
		w.drawer.Wait()
		w.live.Clear()
	}
	w.screen.Leave() // in the middle of a game, if the match was interrupted
	var players [2]playerSummary
	for i, name := range w.names() {
		players[i] = playerSummary{name, score.Wins[i], score.Wins[1-i], score.Draws}
	}
	took := time.Since(w.began)
	if w.flags.JSON {
		endings := map[referee.Code]int{}
		maps.Copy(endings, score.Endings)
		summary := map[string]any{
			"event": "summary", "games": score.Games(), "players": players, "voids": score.Voids,
			"distinct": w.rating.Courses.Distinct().Distinct, "endings": endings, "seed": w.match.Seed, "took_ms": took.Milliseconds(), "complete": err == nil,
		}
		maps.Copy(summary, console.GivenFields(score.Given))
		maps.Copy(summary, verdictFields(w.rating.Verdict()))
		if err != nil {
			summary["error"] = err.Error()
		}
		w.event(summary)
		return
	}
	width := max(len(players[0].Name), len(players[1].Name))
	for i, p := range players {
		percent := ""
		if score.Games() > 0 {
			percent = fmt.Sprintf("  %5.1f %%", 100*score.Points(i)/float64(score.Games()))
		}
		fmt.Fprintf(w.out, "%-*s  %s  %s  %s%s\n", width, p.Name,
			text.Count(score.Wins[i], "win"), text.Count(p.Losses, "loss"), text.Count(p.Draws, "draw"), percent)
	}
	if score.Games() > 1 {
		fmt.Fprintf(w.out, "%s: %v\n", players[0].Name, w.rating.Verdict())
	}
	var endings []string
	for _, code := range referee.Codes {
		if n := score.Endings[code]; n > 0 {
			endings = append(endings, fmt.Sprintf("%s %d", code, n))
		}
	}
	if distinct := w.rating.Courses.Distinct(); distinct.Repeats() {
		fmt.Fprintln(w.out, console.Repeats(distinct))
	}
	if score.Given.Mattered() {
		fmt.Fprintln(w.out, score.Given.Said())
	}
	fmt.Fprintf(w.out, "%s in %v; endings: %s; seed %d\n",
		text.Count(score.Games(), "game"), took.Round(time.Millisecond), cmp.Or(strings.Join(endings, ", "), "none"), w.match.Seed)
}

// gameShow shows the moves of one game: as boards that replace each other on a terminal, or as text.
type gameShow struct {
	referee.NoObserver
	*show
	number int
	names  [2]string
	moves  []string // as text
	// The latest illegal move, and before what it was played.
	illegal game.Move
	refused game.Position
}

// Moved draws the board, or keeps the move for the end.
func (f *gameShow) Moved(_, after game.Position, p referee.Played) {
	name := f.match.Game.FormatMove(p.Move)
	if !f.boards {
		f.moves = append(f.moves, fmt.Sprintf("%3d %-7s", after.Ply(), name))
		return
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	var b strings.Builder
	if f.screen.Screen {
		if wait := f.flags.Pace - time.Since(f.drawn); !f.drawn.IsZero() && wait > 0 {
			time.Sleep(wait)
		}
	}
	f.drawn = time.Now()
	mover := after.Mover().Other()
	fmt.Fprintf(&b, "game %d of %d   ▲ %s – %s ▼   score %s – %s\n", f.number, f.match.Games, f.names[0], f.names[1], points(&f.score, 0), points(&f.score, 1))
	fmt.Fprintf(&b, "ply %d: %s plays %s (%v)\n", after.Ply(), f.names[mover], name, p.Took.Round(time.Microsecond))
	if p.Drawn {
		fmt.Fprintln(&b, "  drawn by the referee: any move was answered")
	}
	for line := range strings.Lines(p.Comment) {
		fmt.Fprintf(&b, "  %s says: %s\n", f.names[mover], text.Printable(strings.TrimRight(line, "\r\n")))
	}
	fmt.Fprintf(&b, "\n%s\n", after.Draw(game.DrawStyle{Color: colorful(f.out.File), Last: &p.Move}))
	f.screen.Show(b.String())
}

func points(s *referee.Score, entrant int) string {
	return strings.TrimSuffix(fmt.Sprintf("%.1f", s.Points(entrant)), ".0")
}

// Refused keeps an illegal move for the end: the game may go on.
func (f *gameShow) Refused(pos game.Position, m game.Move, _ error) { f.refused, f.illegal = pos, m }

// Ended writes the moves and the last board, unless boards were drawn. That of a game which an illegal move has ended is drawn
// as its player sees it, since the referee names squares as that does.
func (f *gameShow) Ended(pos game.Position, e *referee.Ending) {
	if pos == nil {
		return
	}
	style, title := game.DrawStyle{Color: colorful(f.out.File)}, ""
	draw := pos.Draw
	if e.Code == referee.IllegalMove && f.refused != nil {
		side := f.refused.Mover()
		style.Last = &f.illegal
		title = fmt.Sprintf("as player %v (%s) sees it, with %s marked, which is illegal:\n\n", side, f.names[side],
			f.match.Game.FormatMove(game.InFrame(f.match.Game, f.illegal, side)))
		draw = f.refused.View(side).Draw
	}
	board := title + draw(style)
	if f.boards {
		if title != "" {
			f.mu.Lock()
			defer f.mu.Unlock()
			f.screen.Show(board + "\n")
		}
		return
	}
	const perLine = 8
	for i := 0; i < len(f.moves); i += perLine {
		fmt.Fprintln(f.out, strings.TrimRight(strings.Join(f.moves[i:min(i+perLine, len(f.moves))], "  "), " "))
	}
	fmt.Fprintf(f.out, "\n%s\n", board)
}

// colorful says whether a file is a terminal whose user has not asked for plain text.
func colorful(f *os.File) bool {
	return term.IsTerminal(int(f.Fd())) && os.Getenv("NO_COLOR") == "" && os.Getenv("TERM") != "dumb"
}
