package store

import (
	"context"
	"database/sql"
	"fmt"
	"sync"
)

// object is a table, an index, or whatever else a database may consist of.
type object struct{ kind, name, sql string }

// objects are those of a database, by their names.
func objects(ctx context.Context, db *sql.DB) (map[string]object, error) {
	rows, err := db.QueryContext(ctx, "SELECT type, name, coalesce(sql, '') FROM sqlite_schema")
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	found := map[string]object{}
	for rows.Next() {
		var o object
		if err := rows.Scan(&o.kind, &o.name, &o.sql); err != nil {
			return nil, err
		}
		found[o.name] = o
	}
	return found, rows.Err()
}

// ours are the objects of a store that this program has just made.
var ours = sync.OnceValues(func() (map[string]object, error) {
	db, err := sql.Open("sqlite", ":memory:")
	if err != nil {
		return nil, err
	}
	defer db.Close()
	db.SetMaxOpenConns(1)
	s := &Store{db: db}
	goose, err := s.provider()
	if err != nil {
		return nil, err
	}
	if _, err := goose.Up(context.Background()); err != nil {
		return nil, err
	}
	return objects(context.Background(), db)
})

// checkSchema refuses a database whose tables are not those that this program makes: a view that never ends and a trigger
// that forges results would pass for tables. only is the one to be looked at; empty: all.
func (s *Store) checkSchema(ctx context.Context, only string) error {
	want, err := ours()
	if err != nil {
		return err
	}
	found, err := objects(ctx, s.db)
	if err != nil {
		return err
	}
	for name, o := range found {
		if only != "" && name != only {
			continue
		}
		if expected, ok := want[name]; !ok || expected != o {
			return fmt.Errorf("the %s %.40q in it is not one that this program has made; take it out, or choose another --store", o.kind, name)
		}
	}
	for name := range want {
		if _, ok := found[name]; !ok && only == "" {
			return fmt.Errorf("%s is missing in it", name)
		}
	}
	return nil
}
