// Command luzhanqi referees games between programs, plays them, and verifies records.
//
// This folder is the command line only: main.go wires, and each subcommand is a file that turns
// flags into a call of another package and its result into text.
//
// Rules of this user interface: results go to standard output, everything else to standard error;
// errors say what was tried, what was found and what is allowed, in lower case; nothing is
// defaulted silently; every exit code is in docs/endings.md.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"reflect"
	"runtime"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/alecthomas/kong"
	"github.com/rs/zerolog"

	"luzhanqi/check"
	"luzhanqi/check/attack"
	"luzhanqi/cmd/luzhanqi/interruption"
	"luzhanqi/examples/starters"
	"luzhanqi/game/games"
	"luzhanqi/player/chess1d"
	"luzhanqi/player/daemon"
	"luzhanqi/process"
	"luzhanqi/serve"
)

// Exit codes.
const (
	exitDone      = 0
	exitFailed    = 1 // something broke while running
	exitUsage     = 2 // a flag, a file or a program that cannot be used; nothing was played
	exitDisagrees = 3 // a record and the rules disagree, or a line of input could not be answered
	exitVoid      = 4 // void games stopped the match
)

type commandLine struct {
	globalFlags

	Match      matchCommand      `cmd:"" help:"Play games between two programs and judge them."`
	Play       playCommand       `cmd:"" help:"Play a game yourself, at this terminal."`
	Tournament tournamentCommand `cmd:"" help:"Play many games between many players, and lose none."`
	Tune       tuneCommand       `cmd:"" help:"Find better values for numbers of a program, by games against itself."`
	Worker     workerCommand     `cmd:"" help:"Play games of tournaments that run elsewhere."`
	Check      checkCommand      `cmd:"" help:"Check a program, or a referee, in small steps with plain verdicts."`
	Grade      gradeCommand      `cmd:"" help:"Grade submissions: build, check and play each, and write marks with reasons."`
	Course     courseCommand     `cmd:"" help:"Keep a course: backup, restore, delete what is old or of one student."`
	New        newCommand        `cmd:"" help:"Write a program to start from, complete and ready to be changed."`
	Debug      debugCommand      `cmd:"" help:"Play one game again with a program, and show where it answers differently, late or not at all."`
	Games      gamesCommand      `cmd:"" help:"List the games with their dialects, limits, levels and rules."`
	Serve      serveCommand      `cmd:"" help:"Show games and records in the browser, and play there."`
	Join       joinCommand       `cmd:"" help:"Let a program of this machine play at the table of a server elsewhere."`
	Player     playerCommand     `cmd:"" help:"Play one side on standard input and output, or for whoever connects, for any referee."`
	Replay     replayCommand     `cmd:"" help:"Judge records again without the programs, and draw them."`
	Export     exportCommand     `cmd:"" help:"Write recorded games as text, JSON Lines or a table, for other programs."`
	Import     importCommand     `cmd:"" help:"Make records of games that were exported or written by hand; the rules judge them."`
	Rate       rateCommand       `cmd:"" help:"Say what wins, draws and losses are worth: Elo, its error, and a sequential test."`
	Beliefs    beliefsCommand    `cmd:"" help:"Show what a player can know of the hidden pieces of a recorded game."`
	Moves      movesCommand      `cmd:"" help:"Answer positions on standard input with their legal moves."`
	Perft      perftCommand      `cmd:"" help:"Count the move sequences of a given length."`
	Solve      solveCommand      `cmd:"" help:"Solve a game that is small enough, from its beginning."`
	Manual     manualCommand     `cmd:"" help:"Install man pages and the completion of shells."`
	Version    versionCommand    `cmd:"" help:"Show the version and what this system guarantees."`
}

// globalFlags are those of every command.
type globalFlags struct {
	LogLevel string `help:"Least important log messages to show on standard error: ${enum}." enum:"trace,debug,info,warn,error,off" default:"warn" group:"log"`
	LogJSON  bool   `name:"log-json" help:"Log as JSON lines instead of text." group:"log"`

	ShowVersion kong.VersionFlag `name:"version" help:"Show the version."`
}

// runPrograms are the commands that run programs.
var runPrograms = []string{"match", "play", "tournament", "tune", "worker", "check", "grade", "debug"}

// failure is an error with the exit code it leads to.
type failure struct {
	code int
	err  error
}

func (f failure) Error() string { return f.err.Error() }
func (f failure) Unwrap() error { return f.err }

func usage(err error) error {
	if err == nil {
		return nil
	}
	return failure{exitUsage, err}
}

// stdio is where a command reads and writes.
type stdio struct {
	in  io.Reader
	out *output
	err *os.File
	log zerolog.Logger
}

// lines writes JSON Lines to standard output; outcomes are full of < and >.
func (c *stdio) lines() *json.Encoder {
	lines := json.NewEncoder(c.out)
	lines.SetEscapeHTML(false)
	return lines
}

// output is standard output. It remembers the first write that failed: a failed write to standard output
// makes the command fail.
type output struct {
	*os.File
	failed error
}

func (o *output) Write(b []byte) (int, error) {
	n, err := o.File.Write(b)
	if err != nil && o.failed == nil {
		o.failed = err
	}
	return n, err
}

func main() {
	process.Reexec(check.Probe, attack.Attacker)
	// A crash of ours shows all stacks and ends by SIGABRT, instead of with code 2.
	debug.SetTraceback("crash")
	code := run(os.Args[1:])
	process.Conclude()
	os.Exit(code)
}

func run(args []string) int {
	process.AdoptOrphans()
	var cli commandLine
	exited := -1
	args = askedForHelp(args)
	parser, err := newParser(&cli, args, func(code int) { exited = code })
	if err != nil {
		panic(err) // a mistake in the structs above
	}
	parsed, err := parser.Parse(args)
	if exited >= 0 {
		return exited // --help
	}
	if err != nil {
		complain(unknownCommand(parser, args, err))
		fmt.Fprintf(os.Stderr, "luzhanqi: see %[1]s help, or %[1]s help COMMAND\n", typed())
		return exitUsage
	}
	ctx, stop := interruption.Context()
	defer stop()
	defer interruption.Pausable(slices.Contains(runPrograms, strings.Fields(parsed.Command())[0]))()
	c := &stdio{in: os.Stdin, out: &output{File: os.Stdout}, err: os.Stderr, log: logger(cli.LogLevel, cli.LogJSON)}
	parsed.BindTo(ctx, (*context.Context)(nil))
	err = parsed.Run(c)
	if c.out.failed != nil && err == nil {
		err = fmt.Errorf("write to standard output: %w", c.out.failed)
	}
	var interrupted interruption.Interruption
	var f failure
	if err == nil {
		return exitDone
	}
	complain(err)
	switch {
	case errors.As(err, &interrupted):
		return interrupted.ExitCode()
	case errors.As(err, &f):
		return f.code
	}
	return exitFailed
}

// newParser reads args into cli; exit is called after --help and --version. Of a command that stands first, it knows no other: the parser
// fills in the help of whatever it knows, which took half of the processor time of every start.
func newParser(cli *commandLine, args []string, exit func(int)) (*kong.Kong, error) {
	grammar, command := any(cli), kong.OptionFunc(func(*kong.Kong) error { return nil })
	if len(args) > 0 {
		if name, field, ok := commandNamed(args[0]); ok {
			grammar = &cli.globalFlags
			command = kong.DynamicCommand(name, field.Tag.Get("help"), "", reflect.ValueOf(cli).Elem().FieldByIndex(field.Index).Addr().Interface()).(kong.OptionFunc)
		}
	}
	parser, err := kong.New(grammar,
		kong.Name("luzhanqi"),
		kong.Description("A referee that lets any two programs play a board game over standard input and output.\n\nTry it: luzhanqi match"),
		kong.UsageOnError(),
		kong.ConfigureHelp(kong.HelpOptions{Compact: true, WrapUpperBound: 100}),
		kong.Exit(exit),
		vars(),
		command,
	)
	if err == nil {
		addExamples(parser)
	}
	return parser, err
}

// commandNamed finds a command that can be parsed without knowing of the others, whose manual describes them.
func commandNamed(name string) (string, reflect.StructField, bool) {
	for field := range reflect.TypeFor[commandLine]().Fields() {
		if _, ok := field.Tag.Lookup("cmd"); ok && strings.ToLower(field.Name) == name && name != "manual" {
			return name, field, true
		}
	}
	return "", reflect.StructField{}, false
}

// vars fill in what the help says of games.
func vars() kong.Vars {
	var names []string
	for _, g := range games.All {
		names = append(names, g.Name())
	}
	first := games.All[0]
	dialects := dialectsByGame()
	l, usual := first.Limits(), daemon.Usual(1)
	return kong.Vars{
		"sessions": strconv.Itoa(usual.Sessions), "idle": usual.Idle.String(), "drain": usual.Drain.String(),
		"listen": serve.Default().Listen, "solving": chess1d.Needs, "languages": strings.Join(starters.Names(), ", "),
		"version": version(), "game": first.Name(), "games": strings.Join(names, ", "), "dialects": strings.Join(dialects, "; "),
		"start": l.Start.String(), "time": l.Move.String(), "setup": l.SetUp.String(), "grace": l.Grace.String(), "plies": strconv.Itoa(l.MaxPlies),
	}
}

// dialectsByGame lists the dialects of each game, the default first.
func dialectsByGame() (all []string) {
	for _, g := range games.All {
		var names []string
		for _, p := range g.Protocols() {
			names = append(names, p.Name())
		}
		all = append(all, g.Name()+": "+strings.Join(names, ", "))
	}
	return all
}

// unknownCommand says which commands there are, where the parser only says what it did not expect.
func unknownCommand(parser *kong.Kong, args []string, err error) error {
	var names []string
	for _, command := range parser.Model.Children {
		names = append(names, command.Name)
	}
	if strings.HasPrefix(args[0], "-") || slices.Contains(names, args[0]) {
		return err
	}
	hint := ""
	if _, near, ok := strings.Cut(err.Error(), ", did you mean "); ok {
		hint = " did you mean " + near
	}
	return fmt.Errorf("command %q:%s allowed are %s", args[0], hint, strings.Join(names, ", "))
}

func complain(err error) { fmt.Fprintf(os.Stderr, "luzhanqi: error: %v\n", err) }

func logger(level string, asJSON bool) zerolog.Logger {
	if level == "off" {
		return zerolog.Nop()
	}
	zerolog.TimeFieldFormat = time.RFC3339Nano // of seconds alone otherwise
	var out io.Writer = os.Stderr
	if !asJSON {
		out = zerolog.ConsoleWriter{Out: os.Stderr, NoColor: !colorful(os.Stderr), TimeFormat: "2006-01-02 15:04:05.000"}
	}
	parsed, _ := zerolog.ParseLevel(level) // the flag's enum allows only valid levels
	return zerolog.New(out).Level(parsed).With().Timestamp().Logger()
}

type versionCommand struct{}

func (versionCommand) Run(c *stdio) error {
	how, why := process.TotalMemory(process.Confinement{})
	if why != "" {
		how += " (" + why + ")"
	}
	fmt.Fprintf(c.out, "luzhanqi %s, %s, %s/%s\nprocesses: %s\nisolation: %v\ntotal memory: %s\n",
		version(), runtime.Version(), runtime.GOOS, runtime.GOARCH, process.Guarantees, process.Isolation(), how)
	return nil
}

// released is the version of a binary that packaging/release has built, which knows nothing of a repository.
var released string

// version is the version of the module, or the commit it was built from.
func version() string {
	if released != "" {
		return released
	}
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "unknown"
	}
	text := info.Main.Version
	for _, s := range info.Settings {
		if s.Key == "vcs.revision" {
			text += " " + s.Value[:min(12, len(s.Value))]
		}
	}
	return text
}
