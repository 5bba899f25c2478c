package console

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/rs/zerolog"

	"luzhanqi/text"
	"luzhanqi/tournament"
	"luzhanqi/tournament/rating"
	"luzhanqi/tournament/standings"
	"luzhanqi/tournament/store"
)

// How says how a tournament is shown.
type How struct {
	JSON  bool // events as JSON Lines
	Quiet bool // the standings at the end only
	Live  bool // standings that stay in their place, if neither; the output is a terminal that can do it
	Dir   string
	Again func(command string) string // how a command on the same tournament is written
}

// View presents a tournament while it is played: on a terminal as standings that stay in their
// place, else as a line for each game, or as JSON.
type View struct {
	How
	out Output
	log zerolog.Logger
	t   *tournament.Tournament

	mu       sync.Mutex
	tally    *standings.Tally
	courses  rating.Courses // of the first games of this run
	inFlight map[string]inFlight
	progress tournament.Progress
	began    time.Time
	first    int      // games that were finished when this run began
	recent   []string // what was said last, for the foot of the live view
	screen   *Live
	stop     chan struct{}
	drawn    sync.WaitGroup
}

type inFlight struct {
	worker string
	since  time.Time
}

// NewView returns a view of a tournament that is about to be played.
func NewView(out Output, log zerolog.Logger, t *tournament.Tournament, how How) *View {
	v := &View{
		How: how, out: out, log: log, t: t, screen: NewLive(out), inFlight: map[string]inFlight{}, began: time.Now(), stop: make(chan struct{}), first: -1,
		tally: standings.NewTally(t.Names()),
	}
	v.Live = v.Live && !v.JSON && !v.Quiet
	v.progress.MinGames, v.progress.MaxGames = t.Schedule.Size()
	return v
}

// Begin shows what is played, and what was played before.
func (v *View) Begin() {
	if s, err := store.Open(context.Background(), v.Dir); err == nil { // what a run before has played
		if tally, err := v.t.Tally(context.Background(), s); err == nil {
			v.tally = tally
		}
		if finished, voids, err := s.Count(context.Background()); err == nil {
			v.progress.Finished, v.progress.Voids = finished, voids
		}
		s.Close()
	}
	v.first = v.progress.Finished
	switch {
	case v.JSON && !v.Quiet:
		v.encode(map[string]any{
			"event": "tournament", "name": v.t.Name, "game": v.t.Game.Name(), "format": v.t.Schedule.Spec().Format.String(),
			"players": v.t.Names(), "games": v.progress.MinGames, "most": v.progress.MaxGames, "finished": v.progress.Finished, "store": v.Dir,
		})
	case !v.Quiet:
		fmt.Fprintf(v.out, "%s%s: %v of %s, %s, %v a move; results in %s\n", v.title(), v.t.Game.Name(), v.t.Schedule.Spec().Format,
			text.Count(len(v.t.Players), "player"), text.Count(v.progress.MinGames, "game"), v.t.Limits.Move, Short(v.Dir))
		if v.first > 0 {
			fmt.Fprintf(v.out, "%s played before; going on\n", text.Count(v.first, "game"))
		}
	}
	if v.Live {
		v.drawn.Go(func() {
			ticker := time.NewTicker(Redraw)
			defer ticker.Stop()
			for {
				select {
				case <-v.stop:
					return
				case <-ticker.C:
					v.draw()
				}
			}
		})
	}
}

func (v *View) title() string {
	if v.t.Name == "" {
		return ""
	}
	return v.t.Name + ", "
}

func (v *View) encode(e any) {
	if err := json.NewEncoder(v.out).Encode(e); err != nil {
		v.log.Error().Err(err).Msg("cannot write to standard output")
	}
}

// Say shows a warning about temporary trouble.
func (v *View) Say(text string) {
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.Live {
		v.note(text)
		return
	}
	v.log.Warn().Msg(text)
}

func (v *View) note(line string) {
	v.recent = append(v.recent, text.Printable(line))
	v.recent = v.recent[max(0, len(v.recent)-6):]
}

// Event shows what has happened.
func (v *View) Event(e tournament.Event) {
	v.mu.Lock()
	defer v.mu.Unlock()
	plain := !v.Live && !v.JSON && !v.Quiet
	asJSON := v.JSON && !v.Quiet
	switch e.Kind {
	case tournament.EventOpen:
		text := fmt.Sprintf("workers join by: luzhanqi worker %s --token-file FILE", e.ID)
		if e.TokenFile != "" {
			text += ", a copy of " + Short(e.TokenFile)
		}
		switch {
		case asJSON:
			v.encode(map[string]any{"event": "open", "url": e.ID, "token_file": e.TokenFile})
		case v.Live: // above what is drawn, where it stays
			v.screen.Clear()
			fmt.Fprintln(v.out, text)
		case plain:
			fmt.Fprintln(v.out, text)
		}
	case tournament.EventBegun:
		v.inFlight[e.ID] = inFlight{e.Worker, time.Now()}
		if asJSON {
			v.encode(map[string]any{"event": "begun", "id": e.ID, "worker": e.Worker})
		}
	case tournament.EventResult, tournament.EventVoid:
		delete(v.inFlight, e.ID)
		v.progress = e.Progress
		if err := v.tally.Add(e.Result.Standing()); err != nil {
			v.log.Error().Err(err).Msg("standings")
		}
		if v.Live && e.Kind == tournament.EventResult && v.courses.Distinct().Games < maxCourses {
			course := e.Result.Course
			if course != "" { // else it is not known
				course = fmt.Sprint(e.Result.Players, course)
			}
			v.courses.Add(course)
		}
		switch {
		case asJSON:
			v.encode(map[string]any{"event": string(e.Kind), "result": e.Result, "players": [2]string{v.t.Players[e.Result.Players[0]].Name, v.t.Players[e.Result.Players[1]].Name}, "progress": e.Progress})
		case v.Live:
			v.note(GameLine(v.t, e.Result))
		case plain:
			fmt.Fprintf(v.out, "%s (%s)\n", GameLine(v.t, e.Result), v.share())
			WriteFoul(v.out, e.Result.Ending)
		}
	}
}

// share says how far it is.
func (v *View) share() string {
	text := fmt.Sprintf("%d of %d", v.progress.Finished, v.progress.MinGames)
	if v.progress.MaxGames > v.progress.MinGames {
		text = fmt.Sprintf("%d of %d to %d", v.progress.Finished, v.progress.MinGames, v.progress.MaxGames)
	}
	if v.progress.Voids > 0 {
		text += fmt.Sprintf(", %d void", v.progress.Voids)
	}
	return text
}

// draw draws the live view over the last one.
func (v *View) draw() {
	v.mu.Lock()
	defer v.mu.Unlock()
	if width, height, ok := v.screen.Size(); ok {
		v.screen.Draw(v.lines(width-1, height-1))
	}
}

// lines are the live view in so many columns and rows.
func (v *View) lines(width, room int) []string {
	var b bytes.Buffer
	table, err := v.tally.Table(v.t.Order())
	if err == nil {
		table.Text(&b, width)
	}
	lines := strings.Split(strings.TrimRight(b.String(), "\n"), "\n")
	foot := []string{"", v.status()}
	if repeats := v.differently(); repeats != "" {
		foot = append(foot, repeats)
	}
	foot = fold(foot, width)
	said := len(foot)
	for _, id := range slices.Sorted(maps.Keys(v.inFlight)) {
		g := v.inFlight[id]
		foot = append(foot, text.Printable(fmt.Sprintf("  %s for %v at %s", id, time.Since(g.since).Round(time.Second), g.worker)))
	}
	foot = fold(append(foot, v.recent...), width)
	if len(lines)+len(foot) > room { // the standings' head and the newest lines are what counts
		foot = append(foot[:said:said], foot[max(said, len(foot)-max(0, room-len(lines)-said)):]...)
		if over := len(lines) + len(foot) - room; over > 0 && over < len(lines) {
			lines = append(lines[:len(lines)-over-1], "…")
		}
	}
	return slices.Concat(lines, foot)
}

// maxCourses is of how many games the live view remembers how they went, some 100 bytes each.
const maxCourses = 100_000

// differently says how many games of this run went differently, if any has gone as another; empty: none has.
func (v *View) differently() string {
	if d := v.courses.Distinct(); d.Repeats() {
		return "in this run " + d.String()
	}
	return ""
}

// status says how far it is, how fast, and how long it will take.
func (v *View) status() string {
	return v.share() + " games" + Pace(v.progress.Finished-v.first, v.progress.MinGames-v.progress.Finished, time.Since(v.began))
}

// End takes the live view away.
func (v *View) End() {
	close(v.stop)
	v.drawn.Wait()
	v.screen.Clear()
}

// Result shows the standings at the end, also of a tournament that was interrupted.
func (v *View) Result(ctx context.Context, progress tournament.Progress, failed error) error {
	s, err := store.Open(ctx, v.Dir)
	if err != nil && failed == nil {
		return fmt.Errorf("the results are gone: %w", err)
	}
	if err != nil {
		return nil // failed says why
	}
	defer s.Close()
	table, err := v.t.Standings(ctx, s)
	if err != nil {
		return err
	}
	if v.JSON {
		e, err := Standing(ctx, v.t, s, table)
		if err != nil {
			return err
		}
		e["event"], e["progress"] = "standings", progress
		if failed != nil {
			e["error"] = failed.Error()
		}
		v.encode(e)
		return nil
	}
	if err := WriteStandings(ctx, v.out, v.t, s, table, len(v.t.Players) > 2 && len(v.t.Players) <= 12); err != nil {
		return err
	}
	if plain := !v.Live && !v.Quiet; !plain { // else they were shown as they came
		if err := v.fouls(ctx, s); err != nil {
			return err
		}
	}
	fmt.Fprintf(v.out, "%s games; %d in this run, in %v\n", v.share(), v.progress.Finished-v.first, time.Since(v.began).Round(time.Millisecond))
	if failed != nil {
		fmt.Fprintf(v.out, "not complete; %s goes on with it\n", v.Again("run"))
	}
	return nil
}

// maxFouls is how many fouls are named at the end.
const maxFouls = 10

// fouls names the games that a player lost by a foul.
func (v *View) fouls(ctx context.Context, s *store.Store) error {
	total := 0
	err := s.Results(ctx, false, func(r *store.Result) error {
		if !r.Standing().Foul {
			return nil
		}
		if total++; total == 1 {
			fmt.Fprintf(v.out, "\nfouls; %s --game ID shows what was said:\n", v.Again("show"))
		}
		if total <= maxFouls {
			fmt.Fprintf(v.out, "  %s\n", GameLine(v.t, r))
		}
		return nil
	})
	if total > maxFouls {
		fmt.Fprintf(v.out, "  and %d more\n", total-maxFouls)
	}
	return err
}
