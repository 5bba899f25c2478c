package luzhanqi

import (
	"fmt"
	"strings"
	"time"

	"luzhanqi/game"
	"luzhanqi/sexpr"
)

// dialect5500 is the conversation of the seed: S-expressions in both directions.
type dialect5500 struct{ game.ProtocolDefaults }

func (dialect5500) Name() string { return "5500" }

func (dialect5500) Summary() string {
	return "S-expressions both ways: (init 1 time/move 1.0), (go 1), (outcome > (A6 A7)), (end 1)"
}

func (dialect5500) RefereeEnd(side game.Side, limits game.Limits) game.RefereeEnd {
	return &refereeEnd5500{refereeEnd: refereeEnd{side: side}, limit: limits.Move}
}

type refereeEnd5500 struct {
	refereeEnd
	limit    time.Duration
	text     []byte     // of the messages below; reused, for this runs four times a ply
	messages [][]byte   // what Tell returns
	setUp    game.SetUp // that the program has to give; empty: it chooses
	opening  int        // moves that nobody chooses and that are still to come
}

// Open has an opening told: the set-up that is to be given as (setup (…)) before all else, and (opening 1) or (opening 2) instead of
// (go …) before the outcome of a move that nobody has chosen.
func (r *refereeEnd5500) Open(o game.Opening, _ game.Position) {
	r.setUp, r.opening = o.SetUps[r.side], o.Plies()
}

// Tell returns messages that are valid until its next call.
func (r *refereeEnd5500) Tell(e game.Event, v game.View) [][]byte {
	r.text, r.messages = r.text[:0], r.messages[:0]
	switch e.Kind {
	case game.EventBegin:
		if s, err := ParseSetUp(string(r.setUp)); err == nil && r.setUp != "" {
			r.say(append(setUpToWire(s).AppendTo(append(r.text, "(setup "...)), ')'))
		}
		seconds, _ := sexpr.NewSeconds(max(r.limit, 0))
		r.say(sexpr.Init{Which: which(r.side), Seconds: seconds}.AppendTo(r.text))
	case game.EventTurn:
		r.say(sexpr.Go{Which: which(e.Side)}.AppendTo(r.text))
	case game.EventMoved:
		r.moved(v.(*View))
	case game.EventIllegal:
		if e.HasMove {
			r.say(sexpr.Illegal{Move: wireMove(e.Move, r.side)}.AppendTo(r.text))
		}
	case game.EventEnd:
		r.say(sexpr.End{Winner: winner(e)}.AppendTo(r.text))
	}
	return r.messages
}

func (r *refereeEnd5500) moved(v *View) {
	o, ok := v.Last()
	if !ok || o.Over {
		return
	}
	if r.opening > 0 {
		r.opening--
		r.say(fmt.Appendf(r.text, "(opening %d)", o.Mover.Number()))
	}
	for _, f := range o.Flags {
		r.say(sexpr.Flag{Which: which(f.Owner), Square: wireSquare(f.Square, r.side)}.AppendTo(r.text))
	}
	r.say(sexpr.Outcome{Compare: signs[o.Result], Move: wireMove(o.Move, r.side)}.AppendTo(r.text))
}

// say ends a message that was appended to text. It takes no message, since one in an interface would be allocated.
func (r *refereeEnd5500) say(text []byte) {
	start := len(r.text)
	r.text = append(text, '\n')
	r.messages = append(r.messages, r.text[start:len(r.text):len(r.text)])
}

func (r *refereeEnd5500) Scan(buf []byte, _ bool) (int, game.Answer, error) { return r.scan(buf) }

func which(side game.Side) sexpr.Which { return sexpr.Which(side.Number()) }

func winner(e game.Event) int {
	if e.Draw {
		return 0
	}
	return e.Winner.Number()
}

func (dialect5500) PlayerEnd(rules game.Rules, _ game.Side, _ time.Duration) game.PlayerEnd {
	return &playerEnd5500{playerEnd: playerEnd{minesStay: minesStay(rules)}}
}

type playerEnd5500 struct {
	playerEnd
	framer sexpr.Framer
	given  game.SetUp // that has to be given, in a match with openings; empty: the player chooses
}

func (p *playerEnd5500) Scan(buf []byte, _ bool) (n int, prompt game.Prompt, err error) {
	start, end, err := p.framer.Next(buf)
	if err != nil || end == 0 {
		return 0, game.PromptNone, err
	}
	if known, err := p.open(string(buf[start:end])); known {
		return end, game.PromptNone, err
	}
	message, err := sexpr.ParseReferee(buf[start:end])
	if err != nil {
		return end, game.PromptNone, err
	}
	prompt, err = p.hear(message)
	return end, prompt, err
}

// open hears what only a match with openings says: (setup …), and (opening 1) or (opening 2) instead of (go …), to which nobody answers.
func (p *playerEnd5500) open(text string) (known bool, err error) {
	if placements, ok := strings.CutPrefix(text, "(setup"); ok {
		message, err := sexpr.ParsePlayer([]byte(strings.TrimSuffix(placements, ")")))
		if err != nil {
			return true, fmt.Errorf("the set-up of the opening: %w", err)
		}
		initial, ok := message.(sexpr.Initial)
		if !ok {
			return true, fmt.Errorf("%.40s holds no set-up", text)
		}
		p.given = setUpFromWire(initial)
		return true, nil
	}
	who, ok := strings.CutPrefix(text, "(opening")
	if !ok {
		return false, nil
	}
	message, err := sexpr.ParseReferee([]byte("(go" + who))
	if err == nil && p.view == nil {
		err = fmt.Errorf("%.40s before (init …)", text)
	}
	if err == nil {
		p.turn(game.Side(message.(sexpr.Go).Which - 1))
	}
	return true, err
}

func (p *playerEnd5500) hear(message sexpr.RefereeMessage) (game.Prompt, error) {
	if begin, ok := message.(sexpr.Init); ok {
		if p.view != nil {
			return game.PromptNone, fmt.Errorf("%v after the set-up was given", begin)
		}
		limit, err := begin.Seconds.Duration()
		if err != nil {
			return game.PromptNone, err
		}
		p.side, p.limit = game.Side(begin.Which-1), max(limit, 1) // zero would mean unknown
		return game.PromptSetUp, nil
	}
	if _, over := message.(sexpr.End); over {
		return game.PromptEnd, nil
	}
	if p.view == nil {
		return game.PromptNone, fmt.Errorf("%v before (init …)", message)
	}
	switch m := message.(type) {
	case sexpr.Go:
		return p.turn(game.Side(m.Which - 1)), nil
	case sexpr.Flag:
		p.flag(game.Side(m.Which-1), fromWire(m.Square, p.side))
	case sexpr.Outcome:
		result := Quiet
		for r, sign := range signs {
			if sign == m.Compare {
				result = Result(r)
			}
		}
		p.outcome(p.view.mover, moveFromWire(m.Move, p.side), result)
	case sexpr.Illegal:
		return p.refuse(), nil
	}
	return game.PromptNone, nil
}

func (p *playerEnd5500) Say(a game.Answer) []byte {
	if a.Kind == game.AnswerSetUp && p.given != "" {
		a.SetUp = p.given
	}
	p.said(a)
	return sayAnswer(a, p.side)
}
