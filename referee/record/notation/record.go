package notation

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"time"

	"luzhanqi/game"
	"luzhanqi/referee"
	"luzhanqi/referee/record"
	"luzhanqi/text"
)

// Record writes the game as a record, which says that it was imported: what was said to programs is not in it. The moves are
// played by the rules; find looks up the game. A game that the rules disagree with is an error, and nothing is written.
func (g *Game) Record(to io.Writer, find func(name string) (game.Game, error)) error {
	var b bytes.Buffer
	r := recording{Game: g, lines: json.NewEncoder(&b)}
	r.lines.SetEscapeHTML(false)
	if err := r.write(find); err != nil {
		return err
	}
	replay, err := record.Read(bytes.NewReader(b.Bytes()), find)
	if err != nil {
		return err
	}
	if len(replay.Disagreements) > 0 {
		return errors.New(replay.Disagreements[0])
	}
	_, err = to.Write(b.Bytes())
	return err
}

// recording is a game that becomes a record.
type recording struct {
	*Game
	lines *json.Encoder
	t     float64 // milliseconds since the header: what moves took, one after the other
	referee.Conditions
	pos game.Position
}

func (r *recording) write(find func(name string) (game.Game, error)) error {
	h, err := r.header(find)
	if err != nil {
		return err
	}
	if err := r.lines.Encode(h); err != nil {
		return err
	}
	var setUps [2]game.SetUp
	given := 0
	for side, s := range r.SetUps {
		if s == nil {
			continue
		}
		if !r.Conditions.Game.HasSetUp() {
			return fmt.Errorf("%s has no set-ups, and found one of player %d", h.Game, side+1)
		}
		given++
		setUps[side] = game.SetUp(s.SetUp)
		if err := r.line(record.Line{Event: "setup", Side: side + 1, SetUp: s.SetUp, Took: s.Took, Starved: s.Starved}); err != nil {
			return err
		}
	}
	o, err := h.Opening.Opening(r.Conditions.Game, r.Conditions.Rules)
	if err != nil {
		return fmt.Errorf("the opening: %w", err)
	}
	if !o.AsksSetUps(r.Conditions.Game) || given == 2 {
		if r.pos, err = o.Start(r.Conditions.Game, r.Conditions.Rules, setUps); err != nil && len(r.Moves) > 0 {
			return err
		}
	}
	if err := r.moves(); err != nil {
		return err
	}
	return r.end()
}

// header is that of the record.
func (r *recording) header(find func(name string) (game.Game, error)) (h record.Header, err error) {
	h = record.Header{
		Event: "header", Schema: record.Schema, Version: r.Version, Game: r.Game.Game, Rules: r.Game.Rules, Retries: r.Game.Retries,
		Players: r.Players, Seed: r.Seed, Number: max(1, r.Number), Attempt: max(1, r.Attempt), Concurrency: 1, Imported: true,
		Opening: r.Opening, Adjudication: r.Game.Adjudication,
	}
	if h.Game == "" {
		return h, errors.New("the tag Game is missing")
	}
	if r.Started != nil {
		h.Started = *r.Started
	} else {
		h.Started = time.Unix(0, 0).UTC()
	}
	for side := range h.Players {
		if h.Players[side].Name == "" {
			h.Players[side].Name = fmt.Sprintf("player %d", side+1)
		}
	}
	if r.Game.Limits != nil {
		h.Limits = *r.Game.Limits
	}
	if r.Conditions, err = h.Conditions(find); err != nil {
		return h, err
	}
	h.Rules = r.Conditions.Rules.String() // what was not said is written out
	return h, nil
}

func (r *recording) line(l record.Line) error {
	r.t += l.Took
	l.T = r.t
	return r.lines.Encode(l)
}

// moves plays the moves.
func (r *recording) moves() error {
	for i, m := range r.Moves {
		if r.pos == nil {
			return fmt.Errorf("move %q before both set-ups", text.Shorten(m.Move, 40))
		}
		parsed, err := r.Conditions.Game.ParseMove(m.Move)
		if err != nil {
			return fmt.Errorf("move %d: %w", i+1, err)
		}
		legal := r.pos.Check(parsed)
		if (legal != nil) != m.Refused {
			if m.Refused {
				return fmt.Errorf("move %d: %s was refused, and is legal", i+1, m.Move)
			}
			return fmt.Errorf("move %d: %w", i+1, legal)
		}
		l := record.Line{
			Event: "move", Side: r.pos.Mover().Number(), Ply: r.pos.Ply() + 1, Move: r.Conditions.Game.FormatMove(parsed),
			Took: m.Took, Starved: m.Starved, Drawn: m.Drawn, Opening: m.Opening, Comment: m.Comment, Value: m.Value,
		}
		if m.Refused {
			l = record.Line{Event: "illegal", Side: l.Side, Ply: l.Ply, Move: l.Move, Why: legal.Error()}
		} else {
			r.pos = r.pos.Play(parsed)
		}
		if err := r.line(l); err != nil {
			return err
		}
	}
	return nil
}

// end writes how the game ended. A result without an ending must be that of the rules.
func (r *recording) end() error {
	plies := 0
	var outcome game.Outcome
	over := false
	if r.pos != nil {
		plies = r.pos.Ply()
		outcome, over = r.Outcome(r.pos)
	}
	e := r.Ending
	if e == nil {
		switch {
		case r.Result == None || r.Result == "":
			return nil // it breaks off
		case over:
			e = &referee.Ending{Code: referee.Drawn}
			if !outcome.Draw {
				e.Code, e.Winner = referee.Won, &outcome.Winner
			}
		default:
			return fmt.Errorf("the result is %s, and by the rules the game goes on: a tag Ending must say why it ended, such as %s", r.Result, referee.Resigned)
		}
	}
	if e.Plies == 0 && e.Code != referee.Void {
		e.Plies = plies
	}
	if e.Reason == "" {
		e.Reason = r.reason(e, outcome)
	}
	if !slices.Contains(referee.Codes, e.Code) {
		return fmt.Errorf("ending %.40q: allowed are %v", e.Code, referee.Codes)
	}
	if result := resultOf(e); r.Result != "" && r.Result != result {
		return fmt.Errorf("the result is %s, and by its ending it is %s", r.Result, result)
	}
	return r.line(record.Line{Event: "end", End: e})
}

// reason is a sentence for an ending that has none.
func (r *recording) reason(e *referee.Ending, o game.Outcome) string {
	who := func(side game.Side) string { return fmt.Sprintf("player %v (%s)", side, r.Players[side].Name) }
	switch {
	case e.Fault != nil:
		return fmt.Sprintf("%s lost: %s", who(*e.Fault), e.Code)
	case e.Winner != nil:
		return fmt.Sprintf("%s won: %s", who(*e.Winner), o.Reason)
	case e.Code == referee.Drawn:
		return "draw: " + o.Reason
	}
	return string(e.Code)
}
