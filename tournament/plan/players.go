package plan

import (
	"errors"
	"fmt"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"luzhanqi/player/levels"
	"luzhanqi/process"
	"luzhanqi/tournament/plan/strict"
	"luzhanqi/tournament/schedule"
)

// MaxNodes bounds nodes: more than any machine looks at in a day.
const MaxNodes = 1_000_000_000_000

// players reads the players.
func (r *reading) players() {
	nodes := int(r.root.Whole("nodes", 0, 0, MaxNodes))
	confine := ReadConfinement(r.root.Table("confine"), process.Confinement{})
	tables := r.root.Tables("player")
	if len(tables) > schedule.MaxPlayers {
		r.root.Errorf("player", "found %d players; allowed are %d", len(tables), schedule.MaxPlayers)
		tables = tables[:schedule.MaxPlayers]
	}
	switch {
	case r.single && len(tables) != 1:
		r.root.Errorf("player", "found %d players; allowed is one, begun with [[player]], which plays against itself", len(tables))
	case !r.single && len(tables) < 2:
		r.root.Errorf("player", "found %d players; allowed are 2 or more, each begun with [[player]]", len(tables))
	}
	names := map[string]int{}
	for i, t := range tables {
		p := r.player(t, nodes, confine)
		if other, twice := names[p.Name]; twice && p.Name != "" {
			t.Errorf("name", "player %d is called %q too; results could not be told apart", other+1, p.Name)
		}
		names[p.Name] = i
		r.Players = append(r.Players, p)
	}
	r.withoutEffect(tables)
}

// withoutEffect reports keys that concern none of the players.
func (r *reading) withoutEffect(tables []*strict.Table) {
	if len(tables) == 0 {
		return
	}
	oneShot := func(p Player) bool { return p.OneShot() }
	program := func(p Player) bool { return p.Level == nil }
	if r.root.Has("nodes") && !slices.ContainsFunc(r.Players, func(p Player) bool { return p.Level != nil }) {
		r.root.Errorf("nodes", "it has no effect: no player has a level")
	}
	if r.root.Has("confine") && !slices.ContainsFunc(r.Players, program) {
		r.root.Errorf("confine", "it has no effect: no player is a program")
	}
	if r.root.Has("limits") && r.root.Table("limits").Has("start") && !slices.ContainsFunc(r.Players, oneShot) {
		r.root.Errorf(strict.Join("limits", "start"), "it has no effect: no player is a program that is started anew for each question")
	}
	for i, t := range tables {
		if limits := t.Table("limits"); limits.Has("start") && !oneShot(r.Players[i]) {
			limits.Errorf("start", "it has no effect: the player is no program that is started anew for each question")
		}
	}
	r.idleLimits(tables)
}

// idleLimits finds limits of clocks that never run: those of programs where there are none, and times for moves where all moves are
// of levels that look at no clock.
func (r *reading) idleLimits(tables []*strict.Table) {
	find := func(limits *strict.Table, all []Player, none [2]string, path ...string) {
		programs := slices.ContainsFunc(all, func(p Player) bool { return p.Level == nil })
		timed := programs || slices.ContainsFunc(all, func(p Player) bool { return p.Timed() })
		for _, key := range []string{"clock", "setup", "grace", "move", "first"} {
			var why string
			switch {
			case !limits.Has(key), r.Limits.Total > 0, key == "setup" && !r.Game.HasSetUp():
				continue
			case (key == "move" || key == "first") && !timed:
				why = none[1]
			case key != "move" && key != "first" && !programs:
				why = none[0]
			default:
				continue
			}
			r.idle = append(r.idle, r.document.At(fmt.Errorf("it has no effect: %s", why), append(path, "limits", key)...))
		}
	}
	if r.root.Has("limits") {
		find(r.root.Table("limits"), r.Players, [2]string{"no player is a program", "no player looks at the clock"})
	}
	for i, t := range tables {
		if t.Has("limits") {
			find(t.Table("limits"), r.Players[i:i+1], [2]string{"the player is no program", "the player looks at no clock"}, "player", strconv.Itoa(i+1))
		}
	}
}

// player reads one player.
func (r *reading) player(t *strict.Table, nodes int, confine process.Confinement) (p Player) {
	p.Name = t.Text("name", "")
	if t.Require("name"); t.Has("name") {
		t.Error("name", checkName(p.Name))
	}
	level := t.Text("level", "")
	t.Renamed("hero", "challenger")
	p.Challenger = t.Flag("challenger", false)
	command, hasCommand := r.command(t)
	own := int(t.Whole("nodes", int64(nodes), 0, MaxNodes))
	dialect, adapter, oneByOne := t.Text("dialect", ""), t.Text("adapter", ""), t.Flag("one_by_one", false)
	if p.Dir = t.Text("dir", ""); p.Dir != "" {
		p.Dir = path.Clean(filepath.ToSlash(p.Dir))
	}
	environment := ReadEnvironment(t, "env")
	confine = ReadConfinement(t.Table("confine"), confine)
	r.ownLimits(t, &p)
	p.Explain = r.root.Flag("explain", false)
	switch {
	case t.Has("level") && t.Has("command"):
		t.Errorf("command", "found a level too; allowed is one of command and level")
	case t.Has("level"):
		l, err := levels.Find(r.Game, level)
		if err != nil {
			t.Error("level", err)
		}
		p.Level, p.Options.Nodes = &l, own
		for _, key := range []string{"dialect", "adapter", "one_by_one", "dir", "env", "confine"} {
			if t.Has(key) {
				t.Errorf(key, "a player with a level is no program and has none")
			}
		}
		return p
	case !t.Has("command"):
		t.Errorf("", "neither command nor level is there; allowed is one of them")
		return p
	}
	if t.Has("nodes") {
		t.Errorf("nodes", "only a player with a level has it")
	}
	if !hasCommand {
		return p
	}
	p.Command = command
	p.Command.Dir = Resolve(r.folder, p.Dir)
	p.Command.Env = environment
	p.Command.Confine = confine
	p.Command.Sandbox.Own = p.Dir != "" && !confine.Private // what it writes beside the plan is thrown away
	if confine.Private && p.Dir == "" {
		t.Errorf("", "its directory is private (a copy for each game), so dir must say which is copied")
	}
	if err := p.FindDialect(r.Game, dialect); err != nil {
		t.Error("dialect", err)
		return p
	}
	t.Error("command", r.CheckTotal(&p.Entrant))
	t.Error("adapter", p.FindAdapter(r.Game, adapter, r.folder))
	if oneByOne {
		t.Error("one_by_one", p.WriteOneByOne())
	}
	return p
}

// command reads the program of a player: a line that is split into words, or the words.
func (r *reading) command(t *strict.Table) (c process.Command, ok bool) {
	var err error
	if t.IsArray("command") {
		c.Args = t.Words("command")
		if !slices.ContainsFunc(c.Args, func(word string) bool { return strings.Contains(word, "\x00") }) && len(c.Args) > 0 && c.Args[0] != "" {
			return c, true
		}
		err = errors.New("an array of words must begin with a program, and hold no zero bytes")
	} else {
		line := t.Text("command", "")
		if !t.Has("command") {
			return c, false
		}
		c, err = process.ParseCommand(line)
	}
	t.Error("command", err)
	return c, err == nil
}

// Resolve finds a path that is relative to the folder of the file. The result is absolute, since programs
// run elsewhere, if the system can say where the folder is.
func Resolve(folder, relative string) string {
	where := filepath.FromSlash(relative)
	if !filepath.IsAbs(where) {
		where = filepath.Join(folder, where)
	}
	if whole, err := filepath.Abs(where); err == nil {
		return whole
	}
	return where
}
