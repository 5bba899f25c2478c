package tournament

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"time"

	"luzhanqi/game/games"
	"luzhanqi/referee"
	"luzhanqi/referee/record"
	"luzhanqi/text"
	"luzhanqi/tournament/queue"
	"luzhanqi/tournament/store"
)

// maxVoidReason bounds, in bytes, what a worker says of a game that does not count.
const maxVoidReason = 1000

// judge says why the result of a job must not be stored: it is believed only as far as the record of the whole game
// proves it, move by move, without the programs. Of a void game nothing can be proved; what is recorded of it is kept
// if it can be read.
func judge(j *queue.Job, r *store.Result) error {
	if r.Place != j.Place || r.Attempt != j.Header.Attempt {
		return fmt.Errorf("it is of game %.40q, players %v, attempt %d; the job is game %s, players %v, attempt %d",
			r.ID, r.Players, r.Attempt, j.ID, j.Players, j.Header.Attempt)
	}
	r.Course = "" // what a worker says of it is not believed
	err := replays(j, r)
	if r.Void() {
		r.Ending.Reason = text.Cut(r.Ending.Reason, maxVoidReason)
		if err != nil {
			r.Record = nil
		}
		err = nil
	}
	return err
}

// replays says why a record does not prove a result.
func replays(j *queue.Job, r *store.Result) error {
	if len(r.Record) == 0 {
		return errors.New("it comes without a record")
	}
	unpacked, err := store.Unpack(bytes.NewReader(r.Record))
	if err != nil {
		return err
	}
	defer unpacked.Close()
	replay, err := record.Read(&hasty{unpacked, time.Now().Add(maxJudging)}, games.Find)
	switch {
	case err != nil:
		return fmt.Errorf("its record: %w", err)
	case !alike(conditions(replay.Header), conditions(j.Header)):
		return errors.New("its record is of another game, of other players, or under other conditions")
	case len(replay.Disagreements) > 0:
		return fmt.Errorf("its record is not a game by the rules: %.200s", replay.Disagreements[0])
	case replay.Torn:
		return errors.New("its record breaks off")
	case !alike(replay.Ending, r.Ending):
		return errors.New("its record ends otherwise")
	}
	r.Course = replay.Course()
	return nil
}

// maxJudging bounds the time for one record. Honest ones take milliseconds; the longest that there can be, of 2,000 answers of
// 64 KiB, some seconds.
const maxJudging = time.Minute

// hasty is a reader that ends with an error when its time is over.
type hasty struct {
	io.Reader
	until time.Time
}

func (h *hasty) Read(into []byte) (int, error) {
	if time.Now().After(h.until) {
		return 0, fmt.Errorf("judging it takes longer than %v", maxJudging)
	}
	return h.Reader.Read(into)
}

// conditions is a header without what every worker may write into it.
func conditions(h record.Header) record.Header {
	h.Version, h.Concurrency, h.Started = "", 0, time.Time{}
	h.Sandbox = nil // of the worker's machine
	return h
}

// alike says whether two values are written alike.
func alike[T record.Header | *referee.Ending](a, b T) bool {
	x, err := json.Marshal(a)
	y, other := json.Marshal(b)
	return err == nil && other == nil && bytes.Equal(x, y)
}
