package main

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"luzhanqi/game"
	"luzhanqi/game/luzhanqi"
	"luzhanqi/hiddeninfo"
	"luzhanqi/player/luzhanqi/likelihood"
	"luzhanqi/referee/record"
	"luzhanqi/text"
)

type beliefsCommand struct {
	Files []string `arg:"" name:"record" help:"Records of Luzhanqi games."`
	Ply   *int     `help:"Position after so many moves; 0 is the initial position. Default: the last." placeholder:"N"`
	Side  string   `help:"Player whose belief it is, 1 or 2. Default: 1; with --all, both." placeholder:"SIDE"`
	All   bool     `help:"Judge the beliefs of all positions of all records together: log-loss and calibration."`
	JSON  bool     `name:"json" help:"Write JSON Lines: an object for each record, or one for --all."`

	Opinion     string   `help:"Belief that the table shows: ${enum}. Default: ${default}." enum:"none,constraints,prior,likelihoods,both" default:"constraints" placeholder:"NAME"`
	Prior       *float64 `help:"How far to trust the prior of set-ups: an exponent, 0 for not at all. Default: 1." placeholder:"X"`
	Likelihoods *float64 `help:"How far to trust the likelihoods of moves; for makers of set-ups of whom nothing is known, in proportion. Default: 1.34." placeholder:"X"`
}

func (b *beliefsCommand) Run(c *stdio) error {
	sides, err := b.sides()
	if err != nil {
		return usage(err)
	}
	if b.All && b.Ply != nil {
		return usage(errors.New("--all takes every ply: leave out --ply"))
	}
	trust, err := b.trust()
	if err != nil {
		return usage(err)
	}
	total := newEvaluations(trust)
	var unusable []error
	for _, file := range b.Files {
		replay, err := readRecord(file)
		if err == nil {
			err = hides(replay)
		}
		if err == nil && !b.All {
			err = b.show(c, file, replay, sides[0], trust)
		}
		if err != nil {
			unusable = append(unusable, fmt.Errorf("%s: %w", file, err))
			continue
		}
		if len(replay.Disagreements) > 0 {
			c.log.Warn().Str("record", file).Int("disagreements", len(replay.Disagreements)).
				Msg("the record and the rules disagree (see luzhanqi replay); the belief is about what could be played")
		}
		if b.All {
			total.records++
			for _, side := range sides {
				total.add(replay, side)
			}
		}
	}
	switch {
	case len(unusable) > 0:
		return usage(errors.Join(unusable...))
	case b.All && b.JSON:
		json.NewEncoder(c.out).Encode(total.json())
	case b.All:
		fmt.Fprint(c.out, total)
	}
	return nil
}

// show shows one side's belief in one position of a record. The error is about the record, not about
// writing, which stdio watches.
func (b *beliefsCommand) show(c *stdio, file string, r *record.Replay, side game.Side, by likelihood.Trust) error {
	ply := len(r.Positions) - 1
	if b.Ply != nil {
		if *b.Ply < 0 || *b.Ply > ply {
			return fmt.Errorf("--ply %d: allowed are 0 to %d", *b.Ply, ply)
		}
		ply = *b.Ply
	}
	t := tableOf(r, side, ply, by, b.Opinion)
	t.Record = file
	switch {
	case b.JSON:
		json.NewEncoder(c.out).Encode(t)
	case file != b.Files[0]:
		fmt.Fprintln(c.out)
		fallthrough
	default:
		fmt.Fprintf(c.out, "%s: %v\n%s", file, r.Header, t)
	}
	return nil
}

func (b *beliefsCommand) sides() ([]game.Side, error) {
	if b.Side == "" {
		if b.All {
			return []game.Side{game.First, game.Second}, nil
		}
		return []game.Side{game.First}, nil
	}
	side, err := game.ParseSide(b.Side)
	if err != nil {
		return nil, fmt.Errorf("--side: %w", err)
	}
	return []game.Side{side}, nil
}

// hides says why there is nothing to believe about a record.
func hides(r *record.Replay) error {
	if r.Header.Game != (luzhanqi.Game{}).Name() {
		return fmt.Errorf("this is a game of %s, which hides nothing: only luzhanqi has hidden pieces", r.Header.Game)
	}
	if len(r.Positions) == 0 {
		return errors.New("the game ended before both set-ups were given")
	}
	return nil
}

// truthOf is the enemy's army as the record has it. Positions exist only if it is legal.
func truthOf(r *record.Replay, b *hiddeninfo.Belief, enemy game.Side) *hiddeninfo.World {
	setUp, _ := luzhanqi.ParseSetUp(string(r.SetUps[enemy]))
	var truth hiddeninfo.World
	for p := range truth {
		sq := b.Initial(hiddeninfo.Piece(p))
		if enemy == game.Second { // set-ups are in their owner's frame
			sq = luzhanqi.Turn(sq)
		}
		truth[p] = setUp.At(sq)
	}
	return &truth
}

// beliefTable is one side's belief in one position.
type beliefTable struct {
	Record  string             `json:"record"`
	Side    game.Side          `json:"side"`
	Ply     int                `json:"ply"`
	Worlds  float64            `json:"worlds"`
	Opinion string             `json:"opinion"` // of which the p are
	Pieces  []believedPiece    `json:"pieces"`
	Hidden  int                `json:"hidden"`   // pieces that log_loss is the mean of
	LogLoss map[string]float64 `json:"log_loss"` // nats a piece, by opinion
	Trouble string             `json:"trouble,omitempty"`
}

// believedPiece is a line of the table. Squares are in player 1's frame.
type believedPiece struct {
	SetUp  string             `json:"setup"`
	Square string             `json:"square"` // where it stands, or stood before it fell
	Alive  bool               `json:"alive"`
	Truth  string             `json:"truth"`
	P      map[string]float64 `json:"p"` // by rank; what is impossible is missing

	row   [len(luzhanqi.Ranks)]float64
	truth luzhanqi.Rank
}

func tableOf(r *record.Replay, side game.Side, ply int, by likelihood.Trust, opinion string) *beliefTable {
	t := &beliefTable{Side: side, Ply: ply, Opinion: cmp.Or(opinion, "constraints"), LogLoss: map[string]float64{}}
	follow(r, side, ply, by, func(at int, w *likelihood.Watcher, truth *hiddeninfo.World) {
		if at == ply {
			t.fill(w, truth)
		}
	})
	return t
}

func (t *beliefTable) fill(w *likelihood.Watcher, truth *hiddeninfo.World) {
	b := w.Belief
	t.Worlds = b.Worlds()
	if err := b.Trouble(); err != nil {
		t.Trouble = err.Error()
	}
	hidden := b.Hidden()
	for p := range hiddeninfo.Pieces {
		t.Hidden += int(hidden >> p & 1)
	}
	var marginals *hiddeninfo.Marginals
	for _, o := range likelihood.Opinions {
		m := w.Marginals(o)
		t.LogLoss[o.Key] = hiddeninfo.LogLoss(m, truth, hidden)
		if o.Key == t.Opinion {
			marginals = m
		}
	}
	for p := range hiddeninfo.Piece(hiddeninfo.Pieces) {
		sq, alive := b.SquareOf(p)
		piece := believedPiece{
			SetUp: luzhanqi.SquareName(b.Initial(p)), Square: luzhanqi.SquareName(sq), Alive: alive,
			Truth: string(truth[p].Letter()), P: map[string]float64{}, truth: truth[p],
		}
		for i, rank := range luzhanqi.Ranks {
			if piece.row[i] = marginals[p][rank]; piece.row[i] > 0 {
				piece.P[string(rank.Letter())] = piece.row[i]
			}
		}
		t.Pieces = append(t.Pieces, piece)
	}
}

// String is the table for people: the living pieces, then the fallen.
func (t *beliefTable) String() string {
	var s strings.Builder
	fmt.Fprintf(&s, "what player %v can know of player %v's pieces after ply %d: %s\n", t.Side, t.Side.Other(), t.Ply, worlds(t.Worlds))
	if t.Opinion != "constraints" {
		fmt.Fprintf(&s, "percentages by opinion: %s\n", t.Opinion)
	}
	s.WriteByte('\n')
	s.WriteString("from  now ")
	for _, rank := range luzhanqi.Ranks {
		fmt.Fprintf(&s, "%4c", rank.Letter())
	}
	s.WriteString("   truth\n")
	for _, alive := range []bool{true, false} {
		for _, p := range t.Pieces {
			if p.Alive == alive {
				s.WriteString(p.line())
			}
		}
	}
	fmt.Fprintf(&s, "\nlog-loss over %s:", text.Count(t.Hidden, "hidden piece"))
	for i, o := range likelihood.Opinions {
		if i > 0 {
			s.WriteByte(',')
		}
		fmt.Fprintf(&s, " %s %.3f", o.Name, t.LogLoss[o.Key])
	}
	s.WriteString(" nats\n")
	if t.Trouble != "" {
		fmt.Fprintf(&s, "trouble: %s\n", t.Trouble)
	}
	return s.String()
}

func (p *believedPiece) line() string {
	var s strings.Builder
	now := p.Square
	if !p.Alive {
		now = "dead"
	}
	fmt.Fprintf(&s, "%-4s  %-4s", p.SetUp, now)
	for i, rank := range luzhanqi.Ranks {
		fmt.Fprintf(&s, "%4s", chance(p.row[i], len(p.P) == 1, rank))
	}
	fmt.Fprintf(&s, "   %c %v\n", p.truth.Letter(), p.truth)
	return s.String()
}

// chance is a probability in at most three columns: percent, · if impossible, the rank if certain.
func chance(p float64, certain bool, rank luzhanqi.Rank) string {
	switch {
	case p <= 0:
		return "·"
	case certain:
		return string(rank.Letter())
	case p < 0.01:
		return "<1"
	case p > 0.99:
		return ">99"
	}
	return fmt.Sprintf("%.0f", 100*p)
}

func worlds(n float64) string {
	if n < 1e6 {
		return text.Count(int(n), "world")
	}
	return fmt.Sprintf("%.2g worlds", n)
}

func (b *beliefsCommand) trust() (likelihood.Trust, error) {
	t := likelihood.DefaultTrust
	for _, option := range []struct {
		name  string
		given *float64
	}{{"prior", b.Prior}, {"likelihoods", b.Likelihoods}} {
		const limit = 4
		if x := option.given; x != nil && !(*x >= 0 && *x <= limit) {
			return t, fmt.Errorf("--%s %v: allowed are 0 to %d", option.name, *x, limit)
		}
	}
	if b.Prior != nil {
		t.Prior = *b.Prior
	}
	if b.Likelihoods != nil {
		t = t.WithLikelihoods(*b.Likelihoods)
	}
	return t, nil
}

// follow gives each position as a side sees it, ply after ply as a player would have it, with the truth about
// the enemy.
func follow(r *record.Replay, side game.Side, last int, by likelihood.Trust, visit func(ply int, w *likelihood.Watcher, truth *hiddeninfo.World)) {
	view := func(ply int) *luzhanqi.View { return r.Positions[ply].View(side).(*luzhanqi.View) }
	w := likelihood.Watch(view(0), likelihood.Default(), by)
	truth := truthOf(r, w.Belief, side.Other())
	for ply := range last + 1 {
		w.Update(view(ply))
		visit(ply, w, truth)
	}
}

// evaluations judge the opinions over many positions.
type evaluations struct {
	records, positions int
	by                 likelihood.Trust
	of                 []hiddeninfo.Evaluation // by opinion
	troubles           []string
}

func newEvaluations(by likelihood.Trust) *evaluations {
	return &evaluations{by: by, of: make([]hiddeninfo.Evaluation, len(likelihood.Opinions)), troubles: []string{}}
}

func (e *evaluations) add(r *record.Replay, side game.Side) {
	last := len(r.Positions) - 1
	follow(r, side, last, e.by, func(ply int, w *likelihood.Watcher, truth *hiddeninfo.World) {
		e.positions++
		hidden := w.Belief.Hidden()
		for i, o := range likelihood.Opinions {
			e.of[i].Add(w.Marginals(o), truth, hidden)
		}
		if err := w.Belief.Trouble(); err != nil && ply == last {
			e.troubles = append(e.troubles, fmt.Sprintf("%v, player %v: %v", r.Header, side, err))
		}
	})
}

// String is a calibration table for each opinion.
func (e *evaluations) String() string {
	var s strings.Builder
	fmt.Fprintf(&s, "%s, %s judged; exponents: prior %v, likelihoods %v, of strangers %.3g; doubt at first %v\n", text.Count(e.records, "record"), text.Count(e.positions, "position"), e.by.Prior, e.by.Likelihoods, e.by.Strangers, e.by.Doubt)
	for i, o := range likelihood.Opinions {
		fmt.Fprintf(&s, "\n%s: %v", o.Name, &e.of[i])
	}
	for _, trouble := range e.troubles {
		fmt.Fprintf(&s, "\ntrouble: %s\n", trouble)
	}
	return s.String()
}

// judged is what --all --json says of an opinion.
type judged struct {
	LogLoss          float64          `json:"log_loss"` // nats a piece
	Excluded         int              `json:"excluded"`
	CalibrationError float64          `json:"calibration_error"`
	Bins             []hiddeninfo.Bin `json:"bins"`
}

func (e *evaluations) json() any {
	byOpinion := map[string]judged{}
	for i, o := range likelihood.Opinions {
		of := &e.of[i]
		byOpinion[o.Key] = judged{of.LogLoss(), of.Excluded(), of.CalibrationError(), of.Bins()}
	}
	return map[string]any{
		"records": e.records, "positions": e.positions, "hidden": e.of[0].Pieces(), "exponents": e.by, "opinions": byOpinion, "troubles": e.troubles,
	}
}
