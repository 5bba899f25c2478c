package referee

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"luzhanqi/game"
	"luzhanqi/game/games"
	"luzhanqi/player"
	"luzhanqi/player/levels"
	"luzhanqi/process"
	"luzhanqi/referee/opening"
)

// Entrant is who takes part in a match: a program, or a player of ours.
type Entrant struct {
	Name      string
	Command   process.Command // of a program
	Protocol  game.Protocol   // which it speaks, adapted if it has an adapter
	Adapter   *Adapter        // of the protocol; nil: none
	OneByOne  bool            // each message goes to the program in a write of its own: see WriteOneByOne
	Level     *player.Level   // not nil: a player of ours
	Options   player.Options
	Person    bool         // at a terminal: neither a program nor a player of ours
	Explain   bool         // records say why a player of ours made its moves
	Unhurried bool         // a program is told its limits, and waited for as long as MaxLimit: somebody debugs it
	Limits    *game.Limits // its own instead of the game's, but for the cap of plies; nil: none
	// Seat takes a seat that the entrant brings along, such as that of a person at a browser, or of a program at the other
	// end of a connection; nil: the referee makes one. Message gets what is exchanged with a program, and may be nil.
	Seat func(ctx context.Context, g *Game, side game.Side, message func(Message)) (Seat, error)
	// Remote is the grace for a broken connection of a program elsewhere; nil: the entrant is none.
	Remote *time.Duration
}

// Check says why the entrant cannot play, as far as that can be known without starting it.
func (e Entrant) Check() error {
	if e.Level != nil || e.Seat != nil {
		return nil
	}
	return commandFor(e.Command, e.Protocol).Check()
}

// ParseEntrant is the player that a text names: builtin:LEVEL, or the command line of a program, which
// speaks the game's first dialect. Without a name it is called like its level or its program.
func ParseEntrant(g game.Game, text, name string) (e Entrant, err error) {
	if level, builtin := strings.CutPrefix(text, "builtin:"); builtin {
		l, err := levels.Find(g, level)
		if err != nil {
			return e, err
		}
		if name == "" {
			name = level
		}
		return Entrant{Name: name, Level: &l}, nil
	}
	if e.Command, err = process.ParseCommand(text); err != nil {
		return e, err
	}
	if e.Name = name; name == "" {
		e.Name = ProgramName(e.Command.Args)
	}
	return e, e.FindDialect(g, "")
}

// IsProgram says whether the entrant is a program: neither a player of ours nor a person.
func (e *Entrant) IsProgram() bool { return e.Level == nil && !e.Person }

// Timed says whether the entrant is a player of ours whose moves depend on the time that it is given. For no other one a clock runs.
func (e *Entrant) Timed() bool { return e.Level != nil && e.Level.Timed && e.Options.Nodes == 0 }

// OneShot says whether the entrant is a program that is started for each question.
func (e *Entrant) OneShot() bool { return e.Protocol != nil && e.Protocol.Kind() == game.OneShot }

// CheckOpening says why the entrant cannot be told how games begin that a book opens.
func (e *Entrant) CheckOpening(book *opening.Book) error {
	if e.Level != nil || e.Protocol == nil || e.OneShot() {
		return nil
	}
	if game.TellsOpenings(e.Protocol) {
		return nil
	}
	name := e.Protocol.Name()
	if _, ok := game.WithOpenings(e.Protocol); !ok {
		return fmt.Errorf("%s speaks dialect %s, which has no words for openings", e.Name, name)
	}
	what := "a move that it has not chosen"
	if book.Positions() {
		what = "a position to begin with"
	}
	return fmt.Errorf("%s speaks dialect %s, in which a program cannot be told %s; "+
		"if it reads the extension of docs/openings.md, its dialect is %s+openings", e.Name, name, what, name)
}

// Number makes the names of two entrants that have the same differ.
func Number(both *[2]Entrant) {
	for i := range both {
		both[i].Name += fmt.Sprintf(" (%d)", i+1)
	}
}

// ProgramName is the first word after the program that is a file, or else the program: bot.jar of
// "java -jar bot.jar". Of Java it is the class: Bot of "java -cp classes Bot".
func ProgramName(args []string) string {
	for _, arg := range args[1:] {
		if info, err := os.Stat(arg); err == nil && !info.IsDir() {
			return filepath.Base(arg)
		}
	}
	program := filepath.Base(args[0])
	if program == "java" || program == "java.exe" {
		if class := javaClass(args[1:]); class != "" {
			return class
		}
	}
	return program
}

// javaClass is the class or the jar that Java is told to run: the first word that is no option and belongs to none.
func javaClass(args []string) string {
	for i := 0; i < len(args); i++ {
		switch arg := args[i]; {
		case arg == "-cp" || arg == "-classpath" || arg == "--class-path" || arg == "-p" || arg == "--module-path":
			i++
		case !strings.HasPrefix(arg, "-"):
			return filepath.Base(arg)
		}
	}
	return ""
}

// FindDialect sets what a program speaks; the empty name is the game's first dialect.
func (e *Entrant) FindDialect(g game.Game, name string) (err error) {
	if e.Level == nil {
		e.Protocol, err = games.FindProtocol(g, name)
	} else if name != "" {
		err = fmt.Errorf("found %q for %s: a built-in player speaks no dialect", name, e.Name)
	}
	return err
}

// WriteOneByOne lets each message be written by itself, for a program that loses messages which it reads together. Where
// it can be known, the next is written when it has read the one before: see [dialogue.send].
func (e *Entrant) WriteOneByOne() error {
	switch {
	case e.Level != nil:
		return fmt.Errorf("it has no effect on %s: a built-in player reads no messages", e.Name)
	case e.Protocol.Kind() != game.Dialogue:
		return fmt.Errorf("it has no effect on dialect %s, in which nothing is said before it is asked for", e.Protocol.Name())
	}
	e.OneByOne = true
	return nil
}
