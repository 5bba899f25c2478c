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
	rows, err := s.db.QueryContext(ctx, "SELECT first, second, winner, fault, code FROM game")
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
	if f := t.Schedule.Spec().Format; f == schedule.Swiss {
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

// Verdict says in a line what the sequential test of a match has found.
func (t *Tournament) Verdict(ctx context.Context, s *Store) (string, error) {
	c := coordinator{t: t, duel: duel{players: [2]int{0, 1}}}
	if err := s.Results(ctx, false, func(r *Result) error {
		c.judge(r)
		return nil
	}); err != nil {
		return "", err
	}
	lower, upper := t.Test.Bounds()
	counts := c.duel.tally.Counts()
	decision := c.test
	return fmt.Sprintf("%v: LLR %.2f (%.2f to %.2f), %v", *t.Test, t.Test.LLR(counts), lower, upper, decision), nil
}
