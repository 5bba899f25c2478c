package check

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/rs/zerolog"

	"luzhanqi/check/folder"
	"luzhanqi/game"
	"luzhanqi/game/games"
	"luzhanqi/player"
	"luzhanqi/player/levels"
	"luzhanqi/process"
)

// Probe is the role as which a checking program starts itself, so its main calls process.Reexec with it: a
// program that plays one side as the file probe.json in the folder of its first argument says, and writes
// what it hears, says and is asked into log.jsonl there.
//
// Why by an argument? A referee that is checked starts its programs by a command line, and passes its
// environment on to all of them.
var Probe = process.Role{Name: probeWord, Run: func(args []string) int {
	if len(args) == 0 {
		fmt.Fprintln(os.Stderr, probeWord+" plays one side for a check; it needs the folder that says how")
		return 2
	}
	time.AfterFunc(lifetime, func() { os.Exit(1) })
	return actAsProbe(args[0], args[1:])
}}

const (
	probeWord = "luzhanqi-probe"
	sweepWord = "sweep" // makes it remove a folder of probes when its check is no more
)

// probeSpec is the file probe.json.
type probeSpec struct {
	Game      string    `json:"game"`
	Dialect   string    `json:"dialect"`
	Rules     string    `json:"rules"`
	Seed      uint64    `json:"seed"`
	Behaviour behaviour `json:"behaviour"`
}

const (
	specFile = "probe.json"
	logFile  = "log.jsonl"
)

// command writes the spec into a new folder, and returns the command line of its probe.
func (s probeSpec) command(dir string) (process.Command, error) {
	if err := process.CanPlay(Probe); err != nil {
		return process.Command{}, err
	}
	self, err := os.Executable()
	if err != nil {
		return process.Command{}, fmt.Errorf("find this program for a probe: %w", err)
	}
	text, err := json.Marshal(s)
	if err != nil {
		return process.Command{}, err
	}
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return process.Command{}, fmt.Errorf("make the folder of a probe: %w", err)
	}
	if err := os.WriteFile(filepath.Join(dir, specFile), text, 0o666); err != nil {
		return process.Command{}, fmt.Errorf("write what a probe does: %w", err)
	}
	return process.Command{Args: []string{self, probeWord, dir}}, nil
}

// protocol is the dialect as probes speak it: with its default adapter.
func (s probeSpec) protocol(g game.Game) (game.Protocol, error) {
	return games.FindProtocol(g, s.Dialect)
}

// probe is a program of ours that plays one side. It wraps the player's end of its conversation, and writes a log.
type probe struct {
	game.PlayerEnd
	spec    probeSpec
	game    game.Game
	player  player.Player
	random  *rand.Rand
	log     *probeLog
	turn    int
	seen    []game.Move // that it could have made in this process
	oneShot bool        // started for this question only

	resigned bool  // by its misbehaviour
	failed   error // to misbehave
}

// Folder makes a folder that goes with this process, however that ends, or by remove. The binary may be played as [Probe]; of one that
// may not, the next such folder removes what was left.
func Folder() (dir string, remove func(), err error) {
	self, err := os.Executable()
	if err != nil || process.CanPlay(Probe) != nil {
		return folder.New()
	}
	return folder.New(self, probeWord, sweepWord)
}

func actAsProbe(dir string, arguments []string) int {
	if dir == refereeWord && len(arguments) > 2 {
		return actAsRunner(arguments[0], arguments[1:])
	}
	if dir == sweepWord && len(arguments) == 1 {
		if folder.Sweep(arguments[0]) != nil {
			return 1
		}
		return 0
	}
	p, err := newProbe(dir, arguments)
	if err == nil {
		err = p.play(os.Stdin, os.Stdout)
	}
	if err != nil {
		fmt.Fprintf(os.Stderr, "probe %s: %v\n", dir, err)
		return 1
	}
	return 0
}

func newProbe(dir string, arguments []string) (*probe, error) {
	text, err := os.ReadFile(filepath.Join(dir, specFile))
	if err != nil {
		return nil, err
	}
	p := &probe{}
	if err := json.Unmarshal(text, &p.spec); err != nil {
		return nil, fmt.Errorf("%s: %w", specFile, err)
	}
	if p.game, err = games.Find(p.spec.Game); err != nil {
		return nil, err
	}
	rules, err := game.ParseRules(p.spec.Rules, p.game.Options())
	if err != nil {
		return nil, err
	}
	protocol, err := p.spec.protocol(p.game)
	if err != nil {
		return nil, err
	}
	level, err := levels.Find(p.game, everyLevel)
	if err != nil {
		return nil, err
	}
	before, err := readLog(filepath.Join(dir, logFile))
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return nil, err
	}
	for _, line := range before { // of processes that were started for earlier questions
		if line.Event == logMove {
			p.turn++
		}
	}
	if p.log, err = openLog(filepath.Join(dir, logFile)); err != nil {
		return nil, err
	}
	side, strange := sideOf(protocol, p.game.Limits(), arguments)
	p.PlayerEnd = protocol.PlayerEnd(rules, side, 0)
	p.oneShot = protocol.Kind() == game.OneShot
	p.player = level.New(p.game, player.Options{Rules: rules})
	p.random = rand.New(rand.NewPCG(p.spec.Seed, uint64(p.turn)))
	p.log.add(logLine{Event: logStart, PID: os.Getpid(), Text: strings.Join(arguments, " ")})
	if strange != nil {
		p.log.add(logLine{Event: logStrange, Text: strange.Error()})
	}
	return p, nil
}

// sideOf finds out from the arguments of a command line which side is meant, in dialects that have any.
func sideOf(p game.Protocol, l game.Limits, arguments []string) (game.Side, error) {
	first, second := p.Arguments(game.First, l), p.Arguments(game.Second, l)
	if slices.Equal(first, second) {
		return game.First, nil
	}
	for side, want := range [2][]string{first, second} {
		fits := len(arguments) == len(want)
		for i := range want {
			fits = fits && (first[i] == second[i] || arguments[i] == want[i])
		}
		if fits {
			return game.Side(side), nil
		}
	}
	return game.First, fmt.Errorf("arguments %q: expected such as %q or %q", arguments, first, second)
}

// play follows the conversation to its end.
func (p *probe) play(in io.Reader, out io.Writer) error {
	err := player.Serve(heard{in, p.log}, out, p, p.player, p.random, zerolog.Nop())
	switch {
	case p.failed != nil || p.resigned: // some dialects have no word for a resignation
		return p.failed
	case err != nil && !errors.Is(err, player.ErrHungUp):
		return err
	}
	p.log.add(logLine{Event: logEnd})
	return p.leave(in)
}

// heard is the input, which goes into the log.
type heard struct {
	in  io.Reader
	log *probeLog
}

func (h heard) Read(chunk []byte) (int, error) {
	n, err := h.in.Read(chunk)
	if n > 0 {
		h.log.add(logLine{Event: logHeard, Text: string(chunk[:n])})
	}
	return n, err
}

// Scan logs what cannot be read, and skips it.
func (p *probe) Scan(buf []byte, eof bool) (n int, prompt game.Prompt, _ error) {
	if p.failed != nil || p.resigned {
		return 0, game.PromptEnd, nil
	}
	n, prompt, err := p.PlayerEnd.Scan(buf, eof)
	if err != nil {
		p.log.add(logLine{Event: logStrange, Text: err.Error()})
		if n == 0 {
			n = len(buf)
		}
	}
	return n, prompt, nil
}

// Say misbehaves if it is time to, and else answers. It writes the log first, so that the times of both sides' lines
// give the order of the moves.
func (p *probe) Say(a game.Answer) []byte {
	setUp := a.Kind == game.AnswerSetUp
	if setUp && !p.game.HasSetUp() { // a protocol may ask for leave to say something that is no answer
		return p.PlayerEnd.Say(a)
	}
	line := logLine{Event: logMove}
	turn := p.turn + 1
	if v := p.View(); v != nil && !setUp {
		line.View, line.Side = v.Draw(game.DrawStyle{}), v.Side().Number()
		p.seen = v.Moves(p.seen)
		if p.oneShot {
			for _, m := range v.Moves(nil) {
				line.Moves = append(line.Moves, p.game.FormatMove(m))
			}
		}
	}
	switch a.Kind {
	case game.AnswerSetUp:
		line.Event, line.SetUp, turn = logSetUp, string(a.SetUp), 0
	case game.AnswerResign:
		line.Event = logResign
	default:
		line.Move = p.game.FormatMove(a.Move)
	}
	if p.spec.Behaviour.now(turn) {
		p.log.add(logLine{Event: logMisbehaviour, Text: string(p.spec.Behaviour.Does), View: line.View, Side: line.Side})
		var answer []byte
		answer, p.failed = p.misbehave()
		return answer
	}
	if !setUp {
		p.turn++
	}
	p.log.add(line)
	return p.PlayerEnd.Say(a)
}

// leave ends, or does not.
func (p *probe) leave(in io.Reader) error {
	if p.spec.Behaviour.Does == stays {
		linger()
	}
	rest, err := io.ReadAll(io.LimitReader(in, 1<<20))
	if len(rest) > 0 {
		p.log.add(logLine{Event: logStrange, Text: fmt.Sprintf("after the end: %.80q", rest)})
	}
	return err
}
