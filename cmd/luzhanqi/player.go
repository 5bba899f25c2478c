package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/alecthomas/kong"

	"luzhanqi/cmd/luzhanqi/interruption"
	"luzhanqi/game"
	"luzhanqi/game/games"
	"luzhanqi/player"
	"luzhanqi/player/daemon"
	"luzhanqi/player/levels"
)

type playerCommand struct {
	Input []string `arg:"" optional:"" name:"input" help:"The lines of the question, instead of standard input; in dialects that start the program anew for each question."`

	Game    string  `help:"Game to play: ${games}." default:"${game}"`
	Level   string  `help:"Strength; luzhanqi player --level=? lists them. Default: the game's strongest." placeholder:"LEVEL"`
	Nodes   int     `help:"Positions to look at for a move, instead of as many as the time allows."`
	Seed    *uint64 `help:"Seed of every random choice. Default: drawn."`
	Explain bool    `help:"Write why each move was chosen to standard error, a JSON object a line: candidates with visits, value and error, the belief, nodes and time."`

	Listen      string        `help:"Play for whoever connects to tcp://HOST:PORT or unix://PATH, a game for each connection, instead of one on standard input and output. Ends by SIGTERM or Ctrl-C." placeholder:"ADDRESS" group:"daemon"`
	Anybody     bool          `help:"Other machines may connect, too: whoever reaches the address can use this machine's processors." group:"daemon"`
	MaxSessions int           `help:"Connections at a time." default:"${sessions}" placeholder:"N" group:"daemon"`
	Idle        time.Duration `help:"How long a referee may be silent." default:"${idle}" placeholder:"TIME" group:"daemon"`
	Drain       time.Duration `help:"How long games may go on when the end is asked for." default:"${drain}" placeholder:"TIME" group:"daemon"`

	Rules    string `help:"Rules by which the referee plays, if not the default ones." placeholder:"NAME=VALUE,…"`
	MaxPlies *int   `help:"After how many moves the referee draws the game, 0 for never, if not as the game has it."`

	Dialect  string `help:"Dialect to speak, the game's first by default (${dialects})." placeholder:"NAME"`
	Go       string `help:"Side to play, 1 or 2: the arguments of a dialect that gives them, which this selects." placeholder:"SIDE" group:"older dialect"`
	TimeMove string `name:"time/move" help:"Time for a move, such as 1000ms or 2.0s." placeholder:"TIME" group:"older dialect"`
}

func (p *playerCommand) Run(ctx context.Context, c *stdio, command *kong.Context) error {
	flags := given(command)
	for _, flag := range []string{"--anybody", "--max-sessions", "--idle", "--drain"} {
		if flags[flag] && p.Listen == "" {
			return usage(fmt.Errorf("%s has no effect without --listen: one game is played, on standard input and output", flag))
		}
	}
	g, err := games.Find(p.Game)
	if err != nil {
		return usage(fmt.Errorf("--game: %w", err))
	}
	if p.Level == "?" {
		for _, l := range levels.Of(g) {
			fmt.Fprintf(c.out, "%-14s %s\n", l.Name, l.Summary)
		}
		return nil
	}
	level := levels.Strongest(g)
	if p.Level != "" {
		if level, err = levels.Find(g, p.Level); err != nil {
			return usage(fmt.Errorf("--level: %w", err))
		}
	}
	if p.Nodes < 0 {
		return usage(fmt.Errorf("--nodes %d: allowed are whole numbers from 0 (no limit)", p.Nodes))
	}
	rules, err := game.ParseRules(p.Rules, g.Options())
	if err != nil {
		return usage(fmt.Errorf("--rules: %w", err))
	}
	protocol, end, err := p.conversation(g, rules)
	if err != nil {
		return usage(err)
	}
	if p.MaxPlies != nil && *p.MaxPlies < 0 {
		return usage(fmt.Errorf("--max-plies %d: allowed are whole numbers from 0 (no cap)", *p.MaxPlies))
	}
	in := c.in
	if len(p.Input) > 0 {
		if protocol.Kind() != game.OneShot {
			return usage(fmt.Errorf("unexpected argument %s: dialect %s of %s is spoken on standard input only", p.Input[0], protocol.Name(), g.Name()))
		}
		in = strings.NewReader(strings.Join(p.Input, "\n"))
	}
	options := player.Options{
		Nodes: p.Nodes, Rules: rules, MaxPlies: p.MaxPlies, Log: func(trouble string) { c.log.Warn().Msg(trouble) },
		Cut: func(positions int64) { // the clock is the referee's, which may not wait
			c.log.Warn().Int64("positions", positions).Msg("the time for a move has cut the search: the move is weaker than the level")
		},
	}
	chosen := level.New(g, options)
	if _, searches := player.Sure(chosen).(player.Explainer); p.Nodes > 0 && !searches {
		return usage(fmt.Errorf("--nodes %d has no effect: level %s does not search", p.Nodes, level.Name))
	}
	if p.Listen != "" {
		return p.listen(ctx, c, g, level, options)
	}
	if p.Explain {
		explainer, ok := chosen.(player.Explainer)
		if !ok {
			return usage(fmt.Errorf("--explain: level %s does not search, or not for each move, so there is nothing to explain", level.Name))
		}
		chosen = explained{chosen, explainer, json.NewEncoder(c.err)}
	}
	return player.Serve(in, c.out, end, chosen, p.random(), c.log)
}

// random is the source of every random choice in one game.
func (p *playerCommand) random() *rand.Rand {
	seed := rand.Uint64()
	if p.Seed != nil {
		seed = *p.Seed
	}
	return rand.New(rand.NewPCG(seed, 0))
}

// listen plays for whoever connects.
func (p *playerCommand) listen(ctx context.Context, c *stdio, g game.Game, level player.Level, options player.Options) error {
	if p.Explain || len(p.Input) > 0 {
		return usage(errors.New("--listen: there is more than one conversation, so that neither --explain nor questions as arguments can be used"))
	}
	limits := daemon.Usual(runtime.GOMAXPROCS(0))
	limits.Sessions, limits.Idle, limits.Drain = p.MaxSessions, p.Idle, p.Drain
	if limits.Sessions < 1 || limits.Idle <= 0 || limits.Drain < 0 {
		return usage(fmt.Errorf("--max-sessions %d, --idle %v, --drain %v: allowed are whole numbers from 1, times above 0, and times from 0",
			limits.Sessions, limits.Idle, limits.Drain))
	}
	protocol, _, err := p.conversation(g, options.Rules)
	if err != nil {
		return usage(err)
	}
	l, err := daemon.Listen(p.Listen, p.Anybody)
	if errors.Is(err, daemon.ErrOthers) {
		err = fmt.Errorf("%w; with --anybody they may, and use this machine's processors", err)
	}
	if err != nil {
		return usage(fmt.Errorf("--listen %w", err))
	}
	options.Threads = 1
	d := daemon.Daemon{
		Limits: limits, Timed: level.Timed && options.Nodes == 0, SpeaksFirst: protocol.Kind() == game.Console, Log: c.log,
		Begin: func() daemon.Conversation {
			_, end, _ := p.conversation(g, options.Rules) // it was made above without an error
			return daemon.Conversation{End: end, Player: level.New(g, options), Random: p.random()}
		},
	}
	fmt.Fprintln(c.out, daemon.Name(l))
	err = d.Serve(ctx, l)
	if stopped := (interruption.Interruption{}); err == nil && errors.As(context.Cause(ctx), &stopped) {
		fmt.Fprintf(c.err, "luzhanqi: %v: drained\n", stopped) // the way in which a daemon ends
	}
	return err
}

// explained writes down why each move was chosen.
type explained struct {
	player.Player
	why player.Explainer
	out *json.Encoder
}

func (e explained) Choose(v game.View, deadline time.Time, r *rand.Rand) game.Move {
	m := e.Player.Choose(v, deadline, r)
	if why, ok := e.why.Explain(); ok {
		e.out.Encode(why)
	}
	return m
}

// conversation picks the dialect. One that gives its programs arguments is known by them.
func (p *playerCommand) conversation(g game.Game, rules game.Rules) (game.Protocol, game.PlayerEnd, error) {
	protocol, err := games.FindProtocol(g, p.Dialect)
	if err != nil {
		return nil, nil, fmt.Errorf("--dialect: %w", err)
	}
	if p.Go == "" && p.TimeMove == "" {
		return protocol, protocol.PlayerEnd(rules, game.First, 0), nil
	}
	if p.Go == "" || p.TimeMove == "" {
		return nil, nil, errors.New("--go and --time/move select the older dialect and need each other")
	}
	switch known := withArguments(g); {
	case len(known) == 0:
		return nil, nil, fmt.Errorf("--go: no dialect of %s gives its programs arguments", g.Name())
	case p.Dialect == "":
		protocol = known[0]
	case !slices.ContainsFunc(known, func(k game.Protocol) bool { return k.Name() == protocol.Name() }):
		return nil, nil, fmt.Errorf("--go: dialect %s gives its programs no arguments", protocol.Name())
	}
	side, err := game.ParseSide(p.Go)
	if err != nil {
		return nil, nil, fmt.Errorf("--go: %w", err)
	}
	limit, err := parseTimeMove(p.TimeMove)
	if err != nil {
		return nil, nil, err
	}
	return protocol, protocol.PlayerEnd(rules, side, limit), nil
}

// withArguments are the dialects whose programs are started with arguments such as --go.
func withArguments(g game.Game) (found []game.Protocol) {
	for _, p := range g.Protocols() {
		if len(p.Arguments(game.First, g.Limits())) > 0 {
			found = append(found, p)
		}
	}
	return found
}

// parseTimeMove reads 1000ms, 2s, 2.0s, 2000.0ms, and nothing else.
func parseTimeMove(text string) (time.Duration, error) {
	unit := time.Millisecond
	number, ok := strings.CutSuffix(text, "ms")
	if !ok {
		number, ok = strings.CutSuffix(text, "s")
		unit = time.Second
	}
	value, err := strconv.ParseFloat(number, 64)
	if !ok || err != nil || value <= 0 || value > 1e6 || strings.Trim(number, "0123456789.") != "" {
		return 0, fmt.Errorf("--time/move %q: allowed are forms such as 1000ms, 2s, 2.0s and 2000.0ms", text)
	}
	return time.Duration(value * float64(unit)), nil
}
