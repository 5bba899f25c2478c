package tournament

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/klauspost/compress/zstd"
)

// Points are the points of the player at seat 1 in a finished game.
func (s *Store) Points(ctx context.Context, id string) (points float64, finished bool, err error) {
	var winner sql.NullInt64
	err = s.db.QueryRowContext(ctx, "SELECT winner FROM game WHERE id = ?", id).Scan(&winner)
	switch {
	case errors.Is(err, sql.ErrNoRows):
		return 0, false, nil
	case err != nil:
		return 0, false, explained(err)
	case !winner.Valid:
		return 0.5, true, nil
	}
	return float64(2 - winner.Int64), true, nil
}

// Result is the result of one game that counts; nil: it has none.
func (s *Store) Result(ctx context.Context, id string) (*Result, error) {
	var detail []byte
	err := s.db.QueryRowContext(ctx, "SELECT detail FROM game WHERE id = ?", id).Scan(&detail)
	if errors.Is(err, sql.ErrNoRows) {
		return nil, nil
	}
	if err != nil {
		return nil, explained(err)
	}
	r := new(Result)
	if err := json.Unmarshal(detail, r); err != nil {
		return nil, fmt.Errorf("store %s: game %s: %w", s.file, id, err)
	}
	return r, nil
}

// Count is how many games have a result, and how often one was void.
func (s *Store) Count(ctx context.Context) (finished, voids int, err error) {
	err = s.db.QueryRowContext(ctx, "SELECT (SELECT count(*) FROM game), (SELECT count(*) FROM void)").Scan(&finished, &voids)
	return finished, voids, explained(err)
}

// Voids are the reasons for which a game was void, in order.
func (s *Store) Voids(ctx context.Context, id string) (reasons []string, err error) {
	rows, err := s.db.QueryContext(ctx, "SELECT reason FROM void WHERE id = ? ORDER BY attempt", id)
	if err != nil {
		return nil, explained(err)
	}
	defer rows.Close()
	for rows.Next() {
		var reason string
		if err := rows.Scan(&reason); err != nil {
			return nil, err
		}
		reasons = append(reasons, reason)
	}
	return reasons, rows.Err()
}

// Results passes on all games that count, in the order of their ids, or all void ones, until yield
// returns an error.
func (s *Store) Results(ctx context.Context, void bool, yield func(*Result) error) error {
	table := "game"
	if void {
		table = "void"
	}
	rows, err := s.db.QueryContext(ctx, "SELECT detail FROM "+table+" ORDER BY id, attempt")
	if err != nil {
		return explained(err)
	}
	defer rows.Close()
	for rows.Next() {
		var detail []byte
		if err := rows.Scan(&detail); err != nil {
			return err
		}
		r := new(Result)
		if err := json.Unmarshal(detail, r); err != nil {
			return fmt.Errorf("store %s: %w", s.file, err)
		}
		if err := yield(r); err != nil {
			return err
		}
	}
	return rows.Err()
}

// Record is the record of a game's attempt, in JSON Lines; nil: there is none.
func (s *Store) Record(ctx context.Context, id string, attempt int) ([]byte, error) {
	var packed []byte
	err := s.db.QueryRowContext(ctx, "SELECT zstd FROM record WHERE id = ? AND attempt = ?", id, attempt).Scan(&packed)
	if errors.Is(err, sql.ErrNoRows) {
		return nil, nil
	}
	if err != nil {
		return nil, explained(err)
	}
	d, err := zstd.NewReader(nil, zstd.WithDecoderMaxMemory(mostRecord))
	if err != nil {
		return nil, err
	}
	defer d.Close()
	return d.DecodeAll(packed, nil)
}

// mostRecord bounds a record: two programs that fill 64 KiB with each of 2,000 answers.
const mostRecord = 1 << 30
