package serve

import (
	"errors"
	"fmt"
	"time"

	"luzhanqi/referee"
	"luzhanqi/referee/record"
)

const (
	// abandoned is after how long without a move a record without an end is one that will never have any; people may think
	// for as long about a move.
	abandoned = time.Hour
	// lookEvery is how often a folder is looked at for games that are being played.
	lookEvery = time.Second
	// between is how long it may take, at most, until the next game of a match has begun a record, or a look has seen it, where
	// nobody says that a match is being played (record.Played).
	between = 2 * time.Second
)

// match is what the games of a match have in common; its seed decides what is hidden in all of them.
type match struct {
	game string
	seed uint64
}

// pair are the two games of a match that have the same set-ups.
type pair struct {
	match
	nth int
}

func (b brief) pair() pair { return pair{b.match, referee.Pair(b.number)} }

// errWithheld: what a record says may be hidden from who reads it, in a game that is being played.
var errWithheld = errors.New("this record is shown later")

// underWay is what is being played in a folder.
type underWay struct {
	looked  time.Time
	played  bool // a match says that it is
	matches map[match]bool
	pairs   map[pair]bool
	begun   map[pair]int // how many games of it have records
}

// underWayOf goes by the records of a folder; played is whether a match says that it is being played there. It does not say which:
// it is taken for every one that has gone on within the hour, and the latest.
func underWayOf(all []brief, played bool) underWay {
	now := underWay{time.Now(), played, map[match]bool{}, map[pair]bool{}, map[pair]int{}}
	var latest time.Time
	for _, b := range all {
		if b.Changed.After(latest) {
			latest = b.Changed
		}
	}
	for _, b := range all {
		now.begun[b.pair()]++
		age := now.looked.Sub(b.Changed)
		goesOn := played && (age < abandoned || b.Changed.Equal(latest))
		if !b.whole && (age < abandoned || goesOn) {
			now.matches[b.match], now.pairs[b.pair()] = true, true
		}
		if age < between || goesOn {
			now.matches[b.match] = true // its next game may just begin
		}
	}
	return now
}

// underWay is what is being played in a folder, as it was a moment ago at most.
func (f *folders) underWay(folder int) underWay {
	f.mu.Lock()
	now, known := f.now[folder]
	f.mu.Unlock()
	if known && time.Since(now.looked) < lookEvery {
		return now
	}
	now = f.look(folder, nil)
	f.mu.Lock()
	f.now[folder] = now
	f.mu.Unlock()
	return now
}

// look is what is being played in a folder with such records; nil: they are read.
func (f *folders) look(folder int, all []brief) underWay {
	played := record.Played(f.roots[folder].Name())
	if all == nil {
		all = f.read(folder)
	}
	return underWayOf(all, played)
}

// own says whether a record is of a game of this server, which has begun since: others may write into the same folder.
func (f *folders) own(b brief) bool {
	if f.keep == "" || b.Folder != f.kept {
		return false
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.wrote[b.Name]
}

// withheld says why a record is not shown; nil: it is. Both games of a pair share what is hidden. The seed, by which all games
// of a match can be worked out that our players play, is kept from others than who is at this machine until it is over. A
// game of the server's own has a seed of its own.
func (f *folders) withheld(b brief, now underWay) error {
	switch {
	case !b.whole:
		return fmt.Errorf("%w: its game has not ended", errWithheld)
	case f.own(b):
		return nil
	case now.pairs[b.pair()]:
		return fmt.Errorf("%w: the other game of its pair has not ended, and shares what is hidden", errWithheld)
	case f.others && (now.matches[b.match] || time.Since(b.Changed) < between):
		return fmt.Errorf("%w: its match is not over, and has one seed for all games", errWithheld)
	case now.begun[b.pair()] <= 1 && b.number%2 == 1 && (time.Since(b.Changed) < between || now.played && now.matches[b.match]):
		return fmt.Errorf("%w: the other game of its pair may just begin", errWithheld)
	}
	return nil
}
