package plan

import (
	"math"
	"time"

	"luzhanqi/game"
	"luzhanqi/process"
	"luzhanqi/tournament/plan/strict"
)

// The bounds of limits.
const (
	leastTime = time.Millisecond
	mostTime  = 24 * time.Hour
	mostPlies = 1_000_000
)

// ReadLimits reads the times in a table: move, setup, start and grace. What it does not mention stays as in
// base. A time for moves is for first moves too.
func ReadLimits(t *strict.Table, base game.Limits) game.Limits {
	l := base
	l.Move = t.Duration("move", base.Move, leastTime, mostTime)
	if t.Has("move") {
		l.First = 0
	}
	l.SetUp = t.Duration("setup", base.SetUp, leastTime, mostTime)
	l.Start = t.Duration("start", base.Start, 0, mostTime)
	l.Grace = t.Duration("grace", base.Grace, 0, mostTime)
	return l
}

// limits reads those of all players.
func (r *reading) limits() {
	t := r.root.Table("limits")
	r.Limits = ReadLimits(t, r.Game.Limits())
	r.Limits.MaxPlies = int(t.Whole("max_plies", int64(r.Limits.MaxPlies), 0, mostPlies))
	r.noSetUp(t)
}

// ownLimits reads those of a player.
func (r *reading) ownLimits(t *strict.Table, p *Player) {
	table := t.Table("limits")
	own := ReadLimits(table, r.Limits)
	r.noSetUp(table)
	if own != r.Limits {
		p.Limits = &own
	}
}

func (r *reading) noSetUp(t *strict.Table) {
	if t.Has("setup") && !r.Game.HasSetUp() {
		t.Errorf("setup", "it has no effect: %s has no set-ups", r.Game.Name())
	}
}

// ReadConfinement reads what programs may use: memory, processes, threads, cpu, file_size, files and private. What
// the table does not mention stays as in base; zero is no limit.
func ReadConfinement(t *strict.Table, base process.Confinement) process.Confinement {
	c := base
	c.Memory = t.Size("memory", base.Memory, 1<<20, math.MaxInt64)
	c.Processes = int(t.Whole("processes", int64(base.Processes), 0, math.MaxInt32))
	c.Threads = int(t.Whole("threads", int64(base.Threads), 0, math.MaxInt32))
	c.CPU = t.Duration("cpu", base.CPU, 0, 365*24*time.Hour)
	c.FileSize = t.Size("file_size", base.FileSize, 1, math.MaxInt64)
	c.Files = int(t.Whole("files", int64(base.Files), 0, math.MaxInt32))
	c.Private = t.Flag("private", base.Private)
	return c
}
