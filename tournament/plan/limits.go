package plan

import (
	"errors"
	"maps"
	"math"
	"slices"
	"strings"
	"time"

	"luzhanqi/game"
	"luzhanqi/process"
	"luzhanqi/referee"
	"luzhanqi/tournament/plan/strict"
)

// maxPlies bounds the cap of plies.
const maxPlies = 1_000_000

// readLimits reads those of all players: move, first, setup, start, grace and max_plies. What the table does not mention
// is as the game has it.
func readLimits(t *strict.Table, g game.Game) game.Limits {
	l := readTimes(t, g, g.Limits())
	l.MaxPlies = int(t.Whole("max_plies", int64(l.MaxPlies), 0, maxPlies))
	return l
}

// readTimes reads what may be different for each player. What the table does not mention stays as in base: a time for moves
// is for first moves too in a game that has none for those.
func readTimes(t *strict.Table, g game.Game, base game.Limits) game.Limits {
	l := base
	l.Move = t.Duration("move", base.Move, referee.MinLimit, referee.MaxLimit)
	given := t.Has("first")
	if l.First = t.Duration("first", base.First, 0, referee.MaxLimit); !given && l.First < l.Move { // the game's own is for limits like its own
		l.First = 0
	}
	l.SetUp = t.Duration("setup", base.SetUp, referee.MinLimit, referee.MaxLimit)
	l.Start = t.Duration("start", base.Start, 0, referee.MaxLimit)
	l.Grace = t.Duration("grace", base.Grace, 0, referee.MaxLimit)
	l.Clock, _ = game.ParseClock(t.Word("clock", base.Clock.String(), game.OwnClock.String(), game.WallClock.String()))
	if t.Has("setup") && !g.HasSetUp() {
		t.Errorf("setup", "it has no effect: %s has no set-ups", g.Name())
	}
	return l
}

// ownLimits reads those of a player.
func (r *reading) ownLimits(t *strict.Table, p *Player) {
	if own := readTimes(t.Table("limits"), r.Game, r.Limits); own != r.Limits {
		p.Limits = &own
	}
}

// ReadConfinement reads what programs may use: memory, total_memory, processes, threads, cpu, file_size, files and private. What
// the table does not mention stays as in base; zero is no limit.
func ReadConfinement(t *strict.Table, base process.Confinement) process.Confinement {
	c := base
	c.Memory = t.Size("memory", base.Memory, 1<<20, math.MaxInt64)
	c.Total = t.Size("total_memory", base.Total, 1<<20, math.MaxInt64)
	c.Processes = int(t.Whole("processes", int64(base.Processes), 0, math.MaxInt32))
	c.Threads = int(t.Whole("threads", int64(base.Threads), 0, math.MaxInt32))
	c.CPU = t.Duration("cpu", base.CPU, 0, 365*24*time.Hour)
	c.FileSize = t.Size("file_size", base.FileSize, 1, math.MaxInt64)
	c.Files = int(t.Whole("files", int64(base.Files), 0, math.MaxInt32))
	c.Private = t.Flag("private", base.Private)
	return c
}

// ReadEnvironment takes out variables as a process is given them, sorted.
func ReadEnvironment(t *strict.Table, key string) (all []string) {
	variables := t.Names(key)
	for _, name := range slices.Sorted(maps.Keys(variables)) {
		value := variables[name]
		if name == "" || strings.ContainsAny(name, "=\x00") || strings.Contains(value, "\x00") {
			t.Error(strict.Join(key, name), errors.New("a name of a variable is not empty and has no '=', and neither name nor value has a zero byte"))
			continue
		}
		all = append(all, name+"="+value)
	}
	return all
}
