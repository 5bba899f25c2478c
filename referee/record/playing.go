package record

import (
	"context"
	"errors"
	"os"
	"time"

	"github.com/gofrs/flock"
)

// Play says, until release is called or the process ends, however it ends, that games of a match are recorded into the folder;
// [Played] tells. It is a shared lock on the folder itself: any number of matches may hold one, and nothing of it is left there. The
// error says why a system, or a file system, has none.
func (f *Folder) Play() (release func(), err error) {
	ctx, stop := context.WithTimeout(context.Background(), time.Second)
	defer stop()
	lock := ofFolder(f.dir)
	if _, err := lock.TryRLockContext(ctx, time.Millisecond); errors.Is(err, context.DeadlineExceeded) {
		return nil, errors.New("somebody else has locked the folder for more than a second")
	} else if err != nil {
		return nil, err
	}
	return func() { lock.Unlock() }, nil
}

// Played says whether a match is recorded into a folder now; false, too, where folders cannot be locked.
func Played(dir string) bool {
	lock := ofFolder(dir)
	alone, err := lock.TryLock()
	if alone {
		lock.Unlock()
	}
	return !alone && err == nil
}

func ofFolder(dir string) *flock.Flock { return flock.New(dir, flock.SetFlag(os.O_RDONLY)) }
