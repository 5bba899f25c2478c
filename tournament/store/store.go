// Package store keeps the results and records of one tournament in a SQLite database, results.sqlite in the
// tournament's directory, and the lock on that directory.
//
// [Create] opens a store for writing, [Open] for reading, also while it is written. [Store.Add] takes
// [Result]s, one for each game; the other methods read them back. [Lock] makes sure that one process at a time
// writes, and [Holder] says which. What comes out of a store is checked as if a stranger had written it: see
// [Result.Check].
package store

import (
	"context"
	"database/sql"
	"embed"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/pressly/goose/v3"
	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"

	"luzhanqi/game"
)

//go:embed migrations/*.sql
var migrations embed.FS

// fileName is that of the database in the tournament's directory.
const fileName = "results.sqlite"

// Store holds the results and records of one tournament. One process writes, any number may read. What Add
// has returned from is on the disk: the log is synchronized with every transaction.
type Store struct {
	Players int // how many the tournament has, for checking results; 0: not known
	db      *sql.DB
	file    string
}

// applicationID marks the database as ours: "LZQT".
const applicationID = 0x4c5a5154

// Identity says which tournament a store holds.
type Identity struct {
	ID          string
	Plan        string // its text
	Fingerprint string // of Plan
	Version     string
	Created     time.Time
}

// ErrNone is the error of [Open] when there is no store.
var ErrNone = errors.New("nothing was played yet")

// Create opens the store in a directory for writing, and makes both if they are not there.
func Create(ctx context.Context, dir string) (*Store, error) {
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return nil, fmt.Errorf("make the store: %w", err)
	}
	if kind, ok := networkFileSystem(dir); ok {
		return nil, fmt.Errorf("store %s: it lies on a network file system (%s), where SQLite's log can lose results; choose a local directory by --store", dir, kind)
	}
	file := filepath.Join(dir, fileName)
	s, err := openFile(file, "rwc")
	if err != nil {
		return nil, err
	}
	if err := s.migrate(ctx); err != nil {
		s.Close()
		return nil, fmt.Errorf("store %s: %w", file, explain(err))
	}
	return s, nil
}

// Open opens the store in a directory for reading, also while it is written.
func Open(ctx context.Context, dir string) (*Store, error) {
	file := filepath.Join(dir, fileName)
	if _, err := os.Stat(file); errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("store %s: %w", dir, ErrNone)
	} else if err != nil {
		return nil, fmt.Errorf("store: %w", err)
	}
	s, err := openFile(file, "rw") // not ro: a reader of a log that was left behind must be able to recover it
	if err != nil {
		return nil, err
	}
	if err = s.checkVersion(ctx); err == nil {
		err = s.checkSchema(ctx, "")
	}
	if err != nil {
		s.Close()
		return nil, fmt.Errorf("store %s: %w", file, explain(err))
	}
	return s, nil
}

// plainFiles refuses a database that is no file, or that would be followed elsewhere: SQLite waits for pipes and writes
// through links.
func plainFiles(file string) error {
	for _, name := range []string{file, file + "-wal", file + "-shm", file + "-journal"} {
		info, err := os.Lstat(name)
		if err == nil {
			err = regular(info)
		}
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("store: %w", err)
		}
	}
	return nil
}

func openFile(file, mode string) (*Store, error) {
	path, err := filepath.Abs(file)
	if err != nil {
		return nil, err
	}
	if err := plainFiles(path); err != nil {
		return nil, err
	}
	q := url.Values{"mode": {mode}, "_txlock": {"immediate"}, "_pragma": {"busy_timeout(10000)", "synchronous(FULL)", "foreign_keys(1)", "trusted_schema(0)"}}
	if mode == "rwc" {
		q["_pragma"] = append(q["_pragma"], "journal_mode(WAL)")
	}
	db, err := sql.Open("sqlite", (&url.URL{Scheme: "file", Path: filepath.ToSlash(path), RawQuery: q.Encode()}).String())
	if err != nil {
		return nil, fmt.Errorf("open %s: %w", file, err)
	}
	db.SetMaxOpenConns(1)
	return &Store{db: db, file: file}, nil
}

func (s *Store) Close() error { return s.db.Close() }

func (s *Store) provider() (*goose.Provider, error) {
	files, err := fs.Sub(migrations, "migrations")
	if err != nil {
		return nil, err
	}
	return goose.NewProvider(goose.DialectSQLite3, s.db, files)
}

// migrate brings an older store, or an empty one, to this program's version.
func (s *Store) migrate(ctx context.Context) error {
	var tables, id int
	if err := s.db.QueryRowContext(ctx, "SELECT count(*) FROM sqlite_schema").Scan(&tables); err != nil {
		return err
	}
	if tables > 0 {
		if err := s.checkVersion(ctx); err != nil {
			return err
		}
	}
	goose, err := s.provider()
	if err != nil {
		return err
	}
	if _, err := goose.Up(ctx); err != nil {
		return err
	}
	if err := s.checkSchema(ctx, ""); err != nil {
		return err
	}
	if err := s.db.QueryRowContext(ctx, "PRAGMA application_id").Scan(&id); err != nil || id == applicationID {
		return err
	}
	_, err = s.db.ExecContext(ctx, fmt.Sprintf("PRAGMA application_id = %d", applicationID))
	return err
}

// checkVersion refuses a database that is not ours, or from a later program.
func (s *Store) checkVersion(ctx context.Context) error {
	var id int
	if err := s.db.QueryRowContext(ctx, "PRAGMA application_id").Scan(&id); err != nil {
		return err
	}
	if id != applicationID && id != 0 { // 0: ours, if it was interrupted while it was made
		return fmt.Errorf("it is a database of another program (application id %#x)", id)
	}
	var versions int
	if err := s.db.QueryRowContext(ctx, "SELECT count(*) FROM sqlite_schema WHERE name = 'goose_db_version'").Scan(&versions); err != nil {
		return err
	}
	if versions == 0 {
		return errors.New("it is no store of a tournament")
	}
	if err := s.checkSchema(ctx, "goose_db_version"); err != nil {
		return err
	}
	goose, err := s.provider()
	if err != nil {
		return err
	}
	found, known, err := goose.GetVersions(ctx)
	if err != nil {
		return fmt.Errorf("it is no store of a tournament: %w", err)
	}
	if found > known {
		return fmt.Errorf("it was written by a later version of this program (store version %d, this program knows up to %d)", found, known)
	}
	return nil
}

// Identity returns the identity of the tournament in the store; without an ID: none yet.
func (s *Store) Identity(ctx context.Context) (i Identity, err error) {
	var created string
	err = s.db.QueryRowContext(ctx, fmt.Sprintf("SELECT substr(id, 1, %d), substr(plan, 1, %d), substr(fingerprint, 1, 1000), substr(version, 1, 1000), substr(created, 1, 100) FROM tournament", maxID, maxDetail)).
		Scan(&i.ID, &i.Plan, &i.Fingerprint, &i.Version, &created)
	if errors.Is(err, sql.ErrNoRows) {
		return Identity{}, nil
	}
	if err == nil {
		i.Created, err = time.Parse(time.RFC3339Nano, created)
	}
	if err == nil && strings.ContainsFunc(i.ID, notInID) {
		err = fmt.Errorf("the id %.40q is no name of a tournament", i.ID)
	}
	if err != nil {
		return i, fmt.Errorf("read the store: %w", explain(err))
	}
	return i, nil
}

// Begin writes the identity of a new tournament.
func (s *Store) Begin(ctx context.Context, i Identity) error {
	_, err := s.db.ExecContext(ctx, "INSERT INTO tournament VALUES (1, ?, ?, ?, ?, ?)",
		i.ID, i.Plan, i.Fingerprint, i.Version, i.Created.UTC().Format(time.RFC3339Nano))
	return explain(err)
}

// Grow writes that the tournament has a greater plan now.
func (s *Store) Grow(ctx context.Context, i Identity) error {
	_, err := s.db.ExecContext(ctx, "UPDATE tournament SET plan = ?, fingerprint = ?", i.Plan, i.Fingerprint)
	return explain(err)
}

// Add stores results in one transaction. Those that are stored already are left as they are; fresh says
// of each whether it was not.
func (s *Store) Add(ctx context.Context, results []*Result) (fresh []bool, err error) {
	tx, err := s.db.BeginTx(ctx, nil)
	if err != nil {
		return nil, explain(err)
	}
	defer tx.Rollback()
	fresh = make([]bool, len(results))
	for i, r := range results {
		detail, err := json.Marshal(r)
		if err != nil {
			return nil, err
		}
		ended := r.Ended.UTC().Format(time.RFC3339Nano)
		var done sql.Result
		if r.Void() {
			done, err = tx.ExecContext(ctx, "INSERT INTO void VALUES (?,?,?,?,?,?) ON CONFLICT DO NOTHING",
				r.ID, r.Attempt, r.Ending.Reason, ended, r.Worker, string(detail))
		} else {
			done, err = tx.ExecContext(ctx, "INSERT INTO game VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?,?,?) ON CONFLICT DO NOTHING",
				r.ID, r.Attempt, r.Round, r.Pair, r.Players[0], r.Players[1], seat(r.Ending.Winner), seat(r.Ending.Fault),
				string(r.Ending.Code), r.Ending.Reason, r.Ending.Plies, r.Took, ended, r.Worker, string(detail))
		}
		if err != nil {
			return nil, explain(err)
		}
		n, err := done.RowsAffected()
		if err != nil {
			return nil, err
		}
		if fresh[i] = n == 1; fresh[i] && len(r.Record) > 0 {
			if _, err := tx.ExecContext(ctx, "INSERT INTO record VALUES (?,?,?) ON CONFLICT DO NOTHING", r.ID, r.Attempt, r.Record); err != nil {
				return nil, explain(err)
			}
		}
	}
	return fresh, explain(tx.Commit())
}

func seat(side *game.Side) any {
	if side == nil {
		return nil
	}
	return side.Number()
}

// Verify looks through the whole database for damage.
func (s *Store) Verify(ctx context.Context) error {
	var found string
	if err := s.db.QueryRowContext(ctx, "PRAGMA integrity_check").Scan(&found); err != nil {
		return explain(err)
	}
	if found != "ok" {
		return fmt.Errorf("store %s is damaged: %s", s.file, found)
	}
	return nil
}

// explain adds what can be done about an error of SQLite.
func explain(err error) error {
	var e *sqlite.Error
	if !errors.As(err, &e) {
		return err
	}
	switch e.Code() & 0xff {
	case sqlite3.SQLITE_FULL:
		return fmt.Errorf("the disk is full: make room and run it again, nothing that was stored is lost: %w", err)
	case sqlite3.SQLITE_READONLY, sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_PERM:
		return fmt.Errorf("it cannot be written: check that the directory and its files are yours and the disk is not read-only, or choose another by --store: %w", err)
	case sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB:
		return fmt.Errorf("it is damaged or no database: keep a copy, and begin again with luzhanqi tournament reset: %w", err)
	case sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED:
		return fmt.Errorf("another program holds it: %w", err)
	}
	return err
}
