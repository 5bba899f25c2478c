package tournament

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/gofrs/flock"
	"github.com/nats-io/nats.go"
)

// Held is the lock on a tournament's directory.
type Held struct{ *flock.Flock }

// Lock makes sure that one process at a time changes the tournament in a directory. The lock ends with the process,
// however that ends. The error ErrRunning says which process holds it.
func Lock(dir string) (*Held, error) {
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return nil, fmt.Errorf("make the store: %w", err)
	}
	lock := flock.New(filepath.Join(dir, "lock"), flock.SetPermissions(0o666))
	patient, stop := context.WithTimeout(context.Background(), 300*time.Millisecond) // whoever only asks holds it for a moment
	defer stop()
	ok, err := lock.TryLockContext(patient, 30*time.Millisecond)
	if err != nil && !errors.Is(err, context.DeadlineExceeded) {
		return nil, fmt.Errorf("lock the store %s: %w", dir, err)
	}
	if !ok {
		return nil, fmt.Errorf("%w: process %d runs the tournament in %s", ErrRunning, readPID(dir), dir)
	}
	if err := os.WriteFile(filepath.Join(dir, pidFile), []byte(strconv.Itoa(os.Getpid())+"\n"), 0o666); err != nil {
		lock.Unlock()
		return nil, fmt.Errorf("lock the store %s: %w", dir, err)
	}
	return &Held{lock}, nil
}

// pidFile says who holds the lock. Its content means something only while the lock is held.
const pidFile = "pid"

// readPID reads it; 0: it cannot be read.
func readPID(dir string) int {
	text, err := os.ReadFile(filepath.Join(dir, pidFile))
	if err != nil {
		return 0
	}
	pid, err := strconv.Atoi(strings.TrimSpace(string(text)))
	if err != nil {
		return 0
	}
	return pid
}

// Runner is the process of this machine that runs the tournament in a directory; 0: none does.
func Runner(dir string) (pid int, err error) {
	if _, err := os.Stat(filepath.Join(dir, "lock")); errors.Is(err, os.ErrNotExist) {
		return 0, nil
	}
	lock, err := Lock(dir)
	if errors.Is(err, ErrRunning) {
		return readPID(dir), nil
	}
	if err != nil {
		return 0, err
	}
	return 0, lock.Unlock()
}

// Reset deletes the store and the queue of a tournament that does not run.
func Reset(ctx context.Context, o Options) error {
	lock, err := Lock(o.Dir)
	if err != nil {
		return err
	}
	defer lock.Unlock()
	if o.URL != "" {
		if err := resetCluster(ctx, o); err != nil {
			return err
		}
	}
	for _, name := range []string{storeFile, storeFile + "-wal", storeFile + "-shm", queueDir} {
		if err := os.RemoveAll(filepath.Join(o.Dir, name)); err != nil {
			return fmt.Errorf("reset: %w", err)
		}
	}
	lock.Unlock()
	for _, name := range []string{pidFile, "lock"} {
		os.Remove(filepath.Join(o.Dir, name))
	}
	os.Remove(o.Dir) // if nothing else is in it
	return nil
}

// resetCluster takes the tournament's streams out of a cluster.
func resetCluster(ctx context.Context, o Options) error {
	s, err := OpenStore(ctx, o.Dir)
	if errors.Is(err, ErrNoStore) {
		return nil
	}
	if err != nil {
		return err
	}
	defer s.Close()
	i, err := s.Identity(ctx)
	if errors.Is(err, sql.ErrNoRows) {
		return nil
	}
	if err != nil {
		return explained(err)
	}
	conn, err := connect(o.URL, "luzhanqi tournament reset", o.Say, withToken(o.Token)...)
	if err != nil {
		return err
	}
	defer conn.Close()
	q, err := openQueue(conn, i.ID, o.Replicas)
	if err != nil {
		return err
	}
	return q.remove(ctx)
}

// withToken says who we are.
func withToken(token string) []nats.Option {
	if token == "" {
		return nil
	}
	return []nats.Option{nats.Token(token)}
}
