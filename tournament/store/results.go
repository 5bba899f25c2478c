package store

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"github.com/klauspost/compress/zstd"

	"luzhanqi/referee"
	"luzhanqi/tournament/rating"
	"luzhanqi/tournament/standings"
)

// Outcome returns the result of a game for the player at seat 1; [rating.Void]: it has no result that counts yet.
func (s *Store) Outcome(ctx context.Context, id string) (rating.Result, error) {
	var winner sql.NullInt64
	err := s.db.QueryRowContext(ctx, "SELECT winner FROM game WHERE id = ?", id).Scan(&winner)
	if errors.Is(err, sql.ErrNoRows) {
		return rating.Void, nil
	}
	return outcome(winner), explain(err)
}

// outcome reads the column winner.
func outcome(winner sql.NullInt64) rating.Result {
	switch {
	case !winner.Valid:
		return rating.Draw
	case winner.Int64 == 1:
		return rating.Win
	}
	return rating.Loss
}

// Result is the result of one game that counts; nil: it has none.
func (s *Store) Result(ctx context.Context, id string) (*Result, error) {
	var detail []byte
	err := s.db.QueryRowContext(ctx, "SELECT "+detailColumn+" FROM game WHERE id = ?", id).Scan(&detail)
	if errors.Is(err, sql.ErrNoRows) {
		return nil, nil
	}
	if err != nil {
		return nil, explain(err)
	}
	return s.decode(id, detail)
}

// maxDetail bounds the detail of a game, which has some kilobytes.
const maxDetail = 4 << 20

// detailColumn reads a detail, if it is not longer than one can be.
var detailColumn = fmt.Sprintf("CASE WHEN octet_length(detail) <= %d THEN detail END", maxDetail)

// decode reads the detail of a game's row.
func (s *Store) decode(id string, detail []byte) (*Result, error) {
	r := new(Result)
	var err error
	if detail == nil {
		err = fmt.Errorf("its detail has more than %d bytes", maxDetail)
	} else {
		err = json.Unmarshal(detail, r)
	}
	if err == nil {
		err = r.Check(s.Players)
	}
	if err == nil && r.ID != id {
		err = fmt.Errorf("its detail is that of game %q", r.ID)
	}
	if err != nil {
		return nil, fmt.Errorf("store %s: the row of game %.80q: %w", s.file, id, err)
	}
	return r, nil
}

// Count counts the games that have a result, and the attempts that were void.
func (s *Store) Count(ctx context.Context) (finished, voids int, err error) {
	err = s.db.QueryRowContext(ctx, "SELECT (SELECT count(*) FROM game), (SELECT count(*) FROM void)").Scan(&finished, &voids)
	return finished, voids, explain(err)
}

// Distinct counts the games between the same players at the same seats that went differently.
func (s *Store) Distinct(ctx context.Context) (d rating.Distinct, err error) {
	err = s.db.QueryRowContext(ctx, `SELECT count(course), count(*) - count(course), count(DISTINCT first || ' ' || second || ' ' || course) FROM
		(SELECT first, second, CASE WHEN json_valid(detail) THEN detail ->> '$.course' END AS course FROM game)`).Scan(&d.Games, &d.Unknown, &d.Distinct)
	return d, explain(err)
}

// RecordSpace is how many bytes the records take.
func (s *Store) RecordSpace(ctx context.Context) (bytes int64, err error) {
	err = s.db.QueryRowContext(ctx, "SELECT coalesce(sum(octet_length(zstd)), 0) FROM record").Scan(&bytes)
	return bytes, explain(err)
}

// Voids are the times that a game was void, in order.
func (s *Store) Voids(ctx context.Context, id string) (voids []referee.Voided, err error) {
	err = s.each(ctx, func(rows *sql.Rows) error {
		var by, reason string
		err := rows.Scan(&by, &reason)
		voids = append(voids, referee.Voided{By: referee.VoidBy(by), Reason: reason})
		return err
	}, "SELECT coalesce(CASE WHEN json_valid(detail) THEN detail ->> '$.ending.void_by' END, ''), reason FROM void WHERE id = ? ORDER BY attempt", id)
	return voids, err
}

// each calls scan with each row of a query, until it returns an error.
func (s *Store) each(ctx context.Context, scan func(*sql.Rows) error, query string, args ...any) error {
	rows, err := s.db.QueryContext(ctx, query, args...)
	if err != nil {
		return explain(err)
	}
	defer rows.Close()
	for rows.Next() {
		if err := scan(rows); err != nil {
			return explain(err)
		}
	}
	return explain(rows.Err())
}

// Results passes on all games that count, in the order of their ids, or all void ones, until yield
// returns an error.
func (s *Store) Results(ctx context.Context, void bool, yield func(*Result) error) error {
	table := "game"
	if void {
		table = "void"
	}
	return s.passOn(ctx, yield, fmt.Sprintf("SELECT substr(id, 1, %d), %s FROM %s ORDER BY id, attempt", maxID+1, detailColumn, table))
}

// passOn passes on the results of a query for ids and details.
func (s *Store) passOn(ctx context.Context, yield func(*Result) error, query string) error {
	return s.each(ctx, func(rows *sql.Rows) error {
		var id string
		var detail []byte
		if err := rows.Scan(&id, &detail); err != nil {
			return err
		}
		r, err := s.decode(id, detail)
		if err != nil {
			return err
		}
		return yield(r)
	}, query)
}

// Starved passes on all games, void ones too, in which a program was given time because others had the processors.
func (s *Store) Starved(ctx context.Context, yield func(*Result) error) error {
	return s.passOn(ctx, yield, fmt.Sprintf(`SELECT substr(id, 1, %d), %s FROM (SELECT id, attempt, detail FROM game UNION ALL SELECT id, attempt, detail FROM void)
		WHERE instr(detail, '"starved_ms":') > 0 ORDER BY id, attempt`, maxID+1, detailColumn))
}

// Games passes on all games that count as standings want them, up to a pair, without their details: they are
// counted faster so than by Results.
func (s *Store) Games(ctx context.Context, lastPair int, yield func(standings.Game) error) error {
	return s.each(ctx, func(rows *sql.Rows) error {
		var g standings.Game
		var winner, fault sql.NullInt64
		var code string
		if err := rows.Scan(&g.First, &g.Second, &winner, &fault, &code); err != nil {
			return err
		}
		g.Result, g.Foul = outcome(winner), fault.Valid && code != string(referee.Resigned)
		return yield(g)
	}, "SELECT first, second, winner, fault, code FROM game WHERE pair <= ?", lastPair)
}

// Record is the record of a game's attempt, in JSON Lines; nil: there is none.
func (s *Store) Record(ctx context.Context, id string, attempt int) ([]byte, error) {
	var packed []byte
	err := s.db.QueryRowContext(ctx, fmt.Sprintf("SELECT CASE WHEN octet_length(zstd) <= %d THEN zstd END FROM record WHERE id = ? AND attempt = ?", maxPacked), id, attempt).Scan(&packed)
	if errors.Is(err, sql.ErrNoRows) {
		return nil, nil
	}
	if err != nil {
		return nil, explain(err)
	}
	if packed == nil {
		return nil, fmt.Errorf("store %s: the record of game %.80q has more than %d bytes, compressed", s.file, id, maxPacked)
	}
	d, err := zstd.NewReader(nil, zstd.WithDecoderMaxMemory(maxRecord))
	if err != nil {
		return nil, err
	}
	defer d.Close()
	return d.DecodeAll(packed, nil)
}

// Unpack reads a compressed record, of which it takes no more memory than its window: one that says otherwise is an
// error, and so is what it unpacks beyond the size of the longest record.
func Unpack(packed io.Reader) (io.ReadCloser, error) {
	d, err := zstd.NewReader(packed, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxWindow(maxWindow))
	if err != nil {
		return nil, err
	}
	return struct {
		io.Reader
		io.Closer
	}{&bounded{d, maxRecord}, d.IOReadCloser()}, nil
}

// maxWindow bounds the window of a record's compression; ours has at most 8 MiB.
const maxWindow = 32 << 20

// bounded is a reader of at most so many bytes; more are an error.
type bounded struct {
	io.Reader
	left int
}

func (b *bounded) Read(into []byte) (int, error) {
	n, err := b.Reader.Read(into)
	if b.left -= n; b.left < 0 {
		return 0, fmt.Errorf("the record has more than %d bytes", maxRecord)
	}
	return n, err
}

// maxRecord bounds a record: two programs that fill 64 KiB with each of 2,000 answers.
const maxRecord = 1 << 30

// maxPacked bounds a compressed record.
const maxPacked = 256 << 20
