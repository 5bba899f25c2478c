package tournament

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"runtime"

	"luzhanqi/tournament/queue"
	"luzhanqi/tournament/store"
)

// Reset deletes the store and the queue of a tournament that does not run.
func Reset(ctx context.Context, o Options) error {
	lock, err := store.Lock(o.Dir, doing)
	if err != nil {
		return err
	}
	defer lock.Unlock()
	if o.URL != "" {
		if err := resetCluster(ctx, o); err != nil {
			return err
		}
	}
	if err := lock.Delete(queue.Folder, queue.Damaged, TokenName, PlayingName); err != nil {
		return fmt.Errorf("reset: %w", err)
	}
	return nil
}

// resetCluster takes the tournament's streams out of a cluster.
func resetCluster(ctx context.Context, o Options) error {
	s, err := store.Open(ctx, o.Dir)
	if errors.Is(err, store.ErrNone) {
		return nil
	}
	if err != nil {
		return err
	}
	defer s.Close()
	i, err := s.Identity(ctx)
	if err != nil || i.ID == "" {
		return err
	}
	if err := o.admit(); err != nil {
		return err
	}
	client, err := queue.Dial(o.URL, o.Token, "reset", o.Warn)
	if err != nil {
		return err
	}
	defer client.Close()
	return client.Queue(i.ID, o.Replicas).Remove(ctx)
}

// maxAside bounds how many results that were set aside one tournament has.
const maxAside = 1000

// SetAside renames the directory of a tournament that does not run, so that it begins anew, and says what it is called now and how
// many games are in it. Nothing is deleted but what a cluster has of its queue.
func SetAside(ctx context.Context, o Options) (aside string, games int, err error) {
	s, err := store.Open(ctx, o.Dir)
	if err != nil {
		return "", 0, err
	}
	games, _, err = s.Count(ctx)
	if err := errors.Join(err, s.Close()); err != nil {
		return "", 0, err
	}
	lock, err := store.Lock(o.Dir, doing)
	if err != nil {
		return "", 0, err
	}
	defer lock.Unlock()
	if o.URL != "" {
		if err := resetCluster(ctx, o); err != nil {
			return "", 0, err
		}
	}
	if runtime.GOOS == "windows" { // it renames no folder with an open file
		if err := lock.Unlock(); err != nil {
			return "", 0, err
		}
	}
	for n := 1; n <= maxAside; n++ {
		aside = fmt.Sprintf("%s.%d", o.Dir, n)
		if _, err := os.Lstat(aside); errors.Is(err, fs.ErrNotExist) {
			return aside, games, os.Rename(o.Dir, aside)
		}
	}
	return "", 0, fmt.Errorf("%s.1 to %[1]s.%d are there already: remove some", o.Dir, maxAside)
}
