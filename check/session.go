package check

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"hash/fnv"
	"path/filepath"
	"strings"
	"time"

	"luzhanqi/game"
	"luzhanqi/process"
	"luzhanqi/process/load"
	"luzhanqi/process/sandbox"
	"luzhanqi/referee"
	"luzhanqi/referee/record"
	"luzhanqi/text"
)

// session is one check of one program.
type session struct {
	ctx     context.Context
	subject Subject
	options Options
	dir     string // for probes

	step   string // the one that runs
	played map[string]*played
	games  []*played     // all of them, in their order
	late   map[phase]int // games in which the program exceeded a limit
	again  []string      // what came of games that were played again because of that
	given  load.Given    // to the program
	traces sandbox.Traces
}

func newSession(ctx context.Context, subject Subject, options Options, dir string) *session {
	return &session{
		ctx: ctx, subject: subject, options: options, dir: dir,
		played: map[string]*played{}, late: map[phase]int{},
	}
}

// played is a game that was played for a scenario.
type played struct {
	scenario
	step     string // which played it
	blocked  string // not empty: why it was not played
	err      error  // the program could not be started, or the machine failed
	result   referee.Result
	observer *observer
	detached []string // processes of the program that stood apart from it at the end
	record   []byte
	limits   game.Limits
}

// After maxLate games in which the program exceeded a limit in one phase, no more games are played that have to
// come so far; after maxLateInAll, in whatever phases, none at all.
const (
	maxLate      = 2
	maxLateInAll = 6
)

// maxAgain is how many games are played again in which the program exceeded a limit. One late answer may be the machine's, and
// costs a step; a program that is always late has to be waited for so many times more.
const maxAgain = 3

// play plays a scenario once, and remembers it.
func (s *session) play(sc scenario) *played {
	if p, ok := s.played[sc.name]; ok {
		return p
	}
	p := &played{scenario: sc, step: s.step}
	s.played[sc.name] = p
	for ph := atSetUp; ph <= sc.depth; ph++ {
		if s.late[ph] >= maxLate {
			p.blocked = fmt.Sprintf("the program exceeded its time %v in %d games; no more are played that come so far", ph, s.late[ph])
			return p
		}
	}
	if n := s.late[atSetUp] + s.late[atFirst] + s.late[atLater]; n >= maxLateInAll {
		p.blocked = fmt.Sprintf("the program exceeded its time in %d games; no more are played", n)
		return p
	}
	s.attempts(p)
	s.playAgain(p)
	s.games = append(s.games, p)
	if f := p.foul(); f != nil && f.code == referee.TimedOut {
		s.late[f.phase]++
	}
	return p
}

// attempts plays a game until it is not void.
func (s *session) attempts(p *played) {
	var voids []referee.Voided
	for !referee.GivenUp(voids) {
		s.attempt(p)
		if p.err != nil || p.result.Ending.Code != referee.Void || p.against.deviates(breaksOff) || s.ctx.Err() != nil {
			return
		}
		voids = append(voids, p.result.Ending.Voided())
	}
}

// playAgain plays a game once more in which the program exceeded a limit, and goes by that game if it does not then.
func (s *session) playAgain(p *played) {
	f := p.foul()
	if f == nil || f.code != referee.TimedOut || len(s.again) >= maxAgain || s.ctx.Err() != nil {
		return
	}
	second := &played{scenario: p.scenario, step: p.step}
	s.attempts(second)
	said := fmt.Sprintf("step %s: %s; the game was played again, and ", p.step, f.text)
	_, unplayed := second.unplayed()
	switch g := second.foul(); {
	case unplayed:
		said += "could not be played to its end"
	case g == nil:
		said += "it was in time"
	case g.code == referee.TimedOut:
		said += "it was late again"
	default:
		said += string(g.code) + " followed"
	}
	s.again = append(s.again, said)
	if g := second.foul(); !unplayed && (g == nil || g.code != referee.TimedOut) {
		*p = *second
	}
}

func (s *session) attempt(p *played) {
	ctx, cancel := context.WithCancel(s.ctx)
	defer cancel()
	under := s.subject.Conditions
	under.Retries = 0
	if p.plies > 0 {
		under.Limits.MaxPlies = p.plies
	}
	if p.half {
		under.Limits.Move, under.Limits.First = under.Limits.Move/2, under.Limits.First/2
	}
	p.limits = under.Limits
	p.observer = newObserver(p.seat)
	p.detached = nil
	var supervisor process.Family
	tried := s.subject.Program
	tried.Command.Started = func(f process.Family) { supervisor = f }
	tried.Protocol = reframedProtocol{
		Protocol: tried.Protocol, framing: p.framing, mute: p.mute, asksAtBegin: s.subject.Game.HasSetUp(),
		atEnd: func() { p.detached = detached(supervisor) },
	}
	other, err := s.other(p, cancel)
	if err != nil {
		p.err = err
		return
	}
	g := &referee.Game{
		Conditions: under, Seed: s.options.Seed, Number: numberOf(p.name), Attempt: 1, Version: s.options.Version, Concurrency: 1,
	}
	if p.opened {
		if g.Opening, p.err = s.opening(p.scenario); p.err != nil {
			return
		}
	}
	tried.OneByOne = true // the framing says what is written together
	g.Entrants[p.seat], g.Entrants[p.seat.Other()] = tried, other
	var kept bytes.Buffer
	p.result, p.err = g.Play(ctx, referee.Observers{p.observer, record.NewWriter(&kept, g)})
	s.given.Add(p.result.Given[p.seat])
	s.traces.Add(p.postmortem().Exit.Refused, p.postmortem().Exit.Changed)
	p.record = nil
	if p.framing == whole && !p.mute { // else what was sent is not what a referee has to send, and the record would disagree
		p.record = kept.Bytes()
	}
}

// other returns the entrant that plays against the program.
func (s *session) other(p *played, cancel func()) (referee.Entrant, error) {
	if p.against.probe == nil {
		return p.against.entrant(s.subject.Game, cancel)
	}
	spec := probeSpec{
		Game: s.subject.Game.Name(), Dialect: s.subject.Program.Protocol.Name(), Rules: s.subject.Rules.String(),
		Seed: s.options.Seed + uint64(numberOf(p.name)), Behaviour: *p.against.probe,
	}
	dir := filepath.Join(s.dir, p.name)
	command, err := spec.command(dir)
	if err != nil {
		return referee.Entrant{}, err
	}
	protocol, err := spec.protocol(s.subject.Game)
	limits := ampleLimits
	limits.Grace = s.subject.Limits.Grace
	limits.Start = time.Minute
	return referee.Entrant{Name: "probe", Command: command, Protocol: protocol, Limits: &limits}, err
}

// numberOf gives each scenario random numbers of its own, which do not depend on what was played before.
func numberOf(name string) int {
	h := fnv.New32a()
	h.Write([]byte(name))
	return int(h.Sum32()>>1) + 1
}

// foul says how the program lost a game other than by the rules.
type foul struct {
	code  referee.Code
	phase phase
	text  string
}

// foul returns nil if the game did not end by the program's fault. To resign is none.
func (p *played) foul() *foul {
	if p.blocked != "" || p.err != nil {
		return nil
	}
	e := p.result.Ending
	if e.Fault == nil || *e.Fault != p.seat || e.Code == referee.Resigned && p.observer.own > 0 {
		return nil
	}
	f := &foul{code: e.Code, phase: atLater, text: e.Reason}
	switch {
	case !p.observer.begun:
		f.phase = atSetUp
	case p.observer.own == 0:
		f.phase = atFirst
	}
	return f
}

// unplayed returns the verdict of a step whose game was not played or was void; false: it was played.
func (p *played) unplayed() (finding, bool) {
	switch {
	case p.blocked != "":
		return skipped("%s", p.blocked), true
	case errors.Is(p.err, referee.ErrStart) && !process.MachineFault(p.err):
		return failed(evidence{}, "the program starts", "%v", p.err), true
	case p.err != nil:
		return skipped("the machine: %v", p.err), true
	case p.result.Ending.Code == referee.Void && !p.against.deviates(breaksOff):
		return skipped("the machine: the game was void: %s", p.result.Ending.Reason), true
	}
	return finding{}, false
}

// postmortem returns what is known of the program after the game.
func (p *played) postmortem() referee.Postmortem { return p.result.Postmortems[p.seat] }

// evidence returns what a failed step shows of the game.
func (p *played) evidence() evidence {
	r := p.postmortem()
	e := evidence{step: p.step, lines: p.observer.tail.Texts(), stderr: lastLines(r.Stderr), stderrBytes: r.StderrBytes, record: p.record}
	if r.Program {
		e.exit = r.Exit.String()
	}
	return e
}

// lastLines are the last lines of standard error that fit on a screen.
func lastLines(all string) string {
	end := text.Suffix(all, 1200)
	if _, rest, ok := strings.Cut(end, "\n"); ok && len(end) < len(all) {
		return rest
	}
	return end
}

// recognised lists what the program's adapter finds in its output in the first game.
func (s *session) recognised() (all []string) {
	r, ok := s.subject.Program.Protocol.(game.Adaptable)
	if !ok || s.found().verdict != Pass {
		return nil
	}
	s.step = "starts"
	p := s.play(wholeGames[game.First])
	if p.observer == nil {
		return nil
	}
	return r.Recognised(p.observer.output)
}
