package tournament

import (
	"context"
	"database/sql"
	"fmt"

	"luzhanqi/referee"
	"luzhanqi/tournament/rating"
	"luzhanqi/tournament/schedule"
	"luzhanqi/tournament/standings"
)

// Order is how the players of a tournament are ranked.
func (t *Tournament) Order() standings.Order {
	switch t.Schedule.Spec().Format {
	case schedule.Swiss:
		return standings.Swiss
	case schedule.Gauntlet:
		return standings.Gauntlet
	case schedule.Knockout:
		return standings.Knockout
	}
	return standings.RoundRobin
}

// Standing is a result as standings count it.
func (r *Result) Standing() standings.Game {
	g := standings.Game{First: r.Players[0], Second: r.Players[1], Foul: r.Ending.Fault != nil && r.Ending.Code != referee.Resigned && !r.Void()}
	switch {
	case r.Void():
		g.Result = rating.Void
	case r.Ending.Winner == nil:
		g.Result = rating.Draw
	case *r.Ending.Winner == 0:
		g.Result = rating.Win
	default:
		g.Result = rating.Loss
	}
	return g
}

// Tally counts all games in the store.
func (t *Tournament) Tally(ctx context.Context, s *Store) (*standings.Tally, error) {
	tally := standings.NewTally(t.Names())
	test, err := t.sequence(ctx, s)
	if err != nil {
		return nil, err
	}
	counted := "1"
	if test != nil && test.decision != rating.Continue { // games that were still being played then do not count
		counted = fmt.Sprintf("pair <= %d", test.pairs)
	}
	rows, err := s.db.QueryContext(ctx, "SELECT first, second, winner, fault, code FROM game WHERE "+counted)
	if err != nil {
		return nil, explained(err)
	}
	defer rows.Close()
	for rows.Next() {
		var g standings.Game
		var winner, fault sql.NullInt64
		var code string
		if err := rows.Scan(&g.First, &g.Second, &winner, &fault, &code); err != nil {
			return nil, explained(err)
		}
		g.Foul = fault.Valid && code != string(referee.Resigned)
		switch {
		case !winner.Valid:
			g.Result = rating.Draw
		case winner.Int64 == 1:
			g.Result = rating.Win
		default:
			g.Result = rating.Loss
		}
		if err := tally.Add(g); err != nil {
			return nil, err
		}
	}
	return tally, rows.Err()
}

// Course is what a schedule has decided by the results so far, apart from games.
type Course struct {
	Byes      []schedule.Bye
	Decisions []schedule.Decision
	Complete  bool
}

// Winner is who has won a knockout; -1: nobody yet, or the format has no winner but by the standings.
func (t *Tournament) Winner(c Course) int {
	if !c.Complete || len(c.Decisions) == 0 {
		return -1
	}
	return c.Decisions[len(c.Decisions)-1].Winner
}

// Course goes through the schedule with the results in the store.
func (t *Tournament) Course(ctx context.Context, s *Store) (Course, error) {
	results := &storedResults{ctx: ctx, store: s}
	cursor := t.Schedule.Cursor()
	for _, more := cursor.Next(results); more && results.err == nil; _, more = cursor.Next(results) {
	}
	return Course{cursor.Byes(), cursor.Decisions(), cursor.Complete()}, results.err
}

// Standings are the standings by the results in the store.
func (t *Tournament) Standings(ctx context.Context, s *Store) (*standings.Table, error) {
	tally, err := t.Tally(ctx, s)
	if err != nil {
		return nil, err
	}
	switch t.Schedule.Spec().Format {
	case schedule.Knockout:
		course, err := t.Course(ctx, s)
		if err != nil {
			return nil, err
		}
		for _, d := range course.Decisions {
			tally.Reach(d.Winner, d.Round)
			tally.Reach(d.Loser, d.Round-1)
		}
	case schedule.Swiss:
		course, err := t.Course(ctx, s)
		if err != nil {
			return nil, err
		}
		for _, bye := range course.Byes {
			if err := tally.AddBye(standings.Bye{Player: bye.Player, Points: t.Schedule.ByePoints()}); err != nil {
				return nil, err
			}
		}
	}
	return tally.Table(t.Order())
}
