package plan

import (
	"fmt"
	"math"
	"path/filepath"
	"strings"
	"unicode"
	"unicode/utf8"

	"luzhanqi/game"
	"luzhanqi/game/games"
	"luzhanqi/referee"
	"luzhanqi/referee/adjudication"
	"luzhanqi/tournament/plan/strict"
	"luzhanqi/tournament/rating"
)

// Load reads the plan in a file.
func Load(file string) (*Plan, error) {
	d, err := strict.Load(file)
	if err != nil {
		return nil, err
	}
	p, err := read(d, filepath.Dir(file))
	if err == nil {
		p.File = file
	}
	return p, err
}

// reading is a plan half read.
type reading struct {
	*Plan
	folder string // of the file
	root   *strict.Table
	single bool // one player is all there may be
}

func read(d *strict.Document, folder string) (*Plan, error) {
	r := reading{Plan: &Plan{document: d}, folder: folder, root: d.Root()}
	r.Name = r.root.Text("name", "")
	g := ReadGame(r.root)
	if g == nil {
		return nil, d.Reported() // nothing else makes sense without it
	}
	r.Conditions = ReadConditions(r.root, g)
	r.adjudication()
	r.total()
	r.players()
	r.schedule()
	r.openings()
	r.test()
	r.execution()
	if err := d.Err(); err != nil {
		return nil, err
	}
	return r.Plan, nil
}

// ReadGame takes out the game, which must be there; nil: something is wrong with it.
func ReadGame(t *strict.Table) game.Game {
	name := t.Text("game", "")
	if t.Require("game"); !t.Has("game") {
		return nil
	}
	g, err := games.Find(name)
	t.Error("game", err)
	return g
}

// ReadConditions takes out the rules and the limits of a game.
func ReadConditions(t *strict.Table, g game.Game) referee.Conditions {
	c := referee.Conditions{Game: g}
	t.Error("rules", c.SetRules(t.Text("rules", "")))
	c.Limits = readLimits(t.Table("limits"), g)
	return c
}

// total reads the clock for all moves of a side.
func (r *reading) total() {
	t := r.root.Table("limits")
	r.Limits.Total = t.Duration("total", 0, referee.MinLimit, referee.MaxLimit)
	r.Limits.Increment = t.Duration("increment", 0, 0, referee.MaxLimit)
	for _, key := range []string{"move", "first"} {
		if t.Has("total") && t.Has(key) {
			t.Errorf(key, "it has no effect beside total, which is for all moves")
		}
	}
	if t.Has("increment") && !t.Has("total") {
		t.Errorf("increment", "it has no effect without total")
	}
}

// adjudication reads the rule by which games end whose result is clear.
func (r *reading) adjudication() {
	text := r.root.Text("adjudicate", "")
	if !r.root.Has("adjudicate") {
		return
	}
	var err error
	r.Adjudication, err = adjudication.ParseRule(r.Game, text)
	r.root.Error("adjudicate", err)
}

// test reads the test that ends a match early.
func (r *reading) test() {
	t := r.root.Table("sprt")
	elo0, elo1 := t.Number("elo0", 0, -1000, 1000), t.Number("elo1", 0, -1000, 1000)
	alpha, beta := t.Number("alpha", 0.05, 1e-6, 0.5), t.Number("beta", 0.05, 1e-6, 0.5)
	model, err := rating.ParseModel(t.Word("model", "logistic", "logistic", "normalized"))
	if !r.root.Has("sprt") {
		return
	}
	t.Require("elo0", "elo1")
	t.Error("model", err)
	if len(r.Players) != 2 {
		t.Errorf("", "it compares two players, and found %d; allowed is a match", len(r.Players))
		return
	}
	test, err := rating.NewSPRT(elo0, elo1, alpha, beta, model)
	if err != nil {
		t.Error("", err)
		return
	}
	r.Test = &test
}

// stderrSpace is what a run keeps of its programs' standard error, where the plan does not say.
const stderrSpace = 1 << 30

// execution reads how the tournament is played, which changes no result.
func (r *reading) execution() {
	r.Pin = Pin(r.root.Word("pin", string(PinAuto), string(PinAuto), string(PinOff), string(PinOn)))
	r.Records = r.root.Flag("records", true)
	r.RecordSpace = r.root.Size("record_space", 0, 1, math.MaxInt64)
	if r.RecordSpace > 0 && !r.Records {
		r.root.Errorf("record_space", "it has no effect: records are off")
	}
	r.StderrSpace = r.root.Size("stderr_space", stderrSpace, 1, math.MaxInt64)
	r.Explain = r.root.Flag("explain", false)
	if r.Explain && !r.Records {
		r.root.Errorf("explain", "explanations are written into records, which are off")
	}
	r.queue()
	r.Concurrency = int(r.root.Whole("concurrency", 1, 0, 1000))
	if r.Concurrency == 0 && r.Queue.URL == "" && r.Queue.Listen == "" {
		r.root.Errorf("concurrency", "found 0: nobody would play; allowed only with a queue that workers elsewhere can reach (queue.url or queue.listen)")
	}
}

// ReadSeed takes out a number that every reader of records can hold.
func ReadSeed(t *strict.Table) uint64 { return uint64(t.Whole("seed", 1, 0, math.MaxInt64)) }

// seed takes out that of the tournament, or notes that it is to be drawn.
func (r *reading) seed() uint64 {
	r.SeedDrawn = !r.root.Has("seed")
	return ReadSeed(r.root)
}

// checkName says what is wrong with the name of a player.
func checkName(name string) error {
	const maxName = 64
	switch {
	case name == "":
		return fmt.Errorf("the name is empty")
	case utf8.RuneCountInString(name) > maxName:
		return fmt.Errorf("the name has %d characters; allowed are %d", utf8.RuneCountInString(name), maxName)
	case strings.TrimSpace(name) != name:
		return fmt.Errorf("the name %q begins or ends with a blank", name)
	}
	for _, c := range name {
		if !unicode.IsPrint(c) {
			return fmt.Errorf("the name %q contains %q; allowed are printable characters", name, c)
		}
	}
	return nil
}
