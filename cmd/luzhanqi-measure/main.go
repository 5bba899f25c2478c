// Command luzhanqi-measure plays the built-in players against each other and against variants of themselves,
// at a fixed number of positions a move, so that a busy machine changes nothing. It is how the strength of
// the levels is measured; README.md of package player and of its folders has the results. It also measures what the referee costs.
package main

import (
	"io"
	"os"

	"github.com/alecthomas/kong"
)

type commandLine struct {
	Match     matchCommand     `cmd:"" help:"Play two players of one game against each other, in pairs of games with the seats exchanged."`
	Ladder    ladderCommand    `cmd:"" help:"Play all levels of a game against each other, and say how far apart neighbours are."`
	Speed     speedCommand     `cmd:"" help:"Measure what the referee costs a ply, beside a floor in C and beside fastchess."`
	Panel     panelCommand     `cmd:"" help:"Play a level of Luzhanqi against a panel of strangers, and print what each takes from it."`
	Tune      tuneCommand      `cmd:"" help:"Tune a stranger, or a search like strong's, and its set-ups against a level of Luzhanqi, and say what it takes from it."`
	Vary      varyCommand      `cmd:"" help:"Play strong with changes that are drawn in each pair of games, and say what each of them is worth."`
	Belief    beliefCommand    `cmd:"" help:"Say what beliefs about the hidden pieces of players are worth, in nats a piece."`
	Won       wonCommand       `cmd:"" help:"Say how many of the positions that a longer search proves won a player wins."`
	Regret    regretCommand    `cmd:"" help:"Measure how noisy the choices of players of Luzhanqi are, in committed positions."`
	Calibrate calibrateCommand `cmd:"" help:"Say how well players of Luzhanqi foretell how their games end: bias by deciles and phases, Brier score."`
	Fights    fightsCommand    `cmd:"" help:"Say what players of Luzhanqi expect of the fights that they begin with unknown pieces, and what they gain."`
	Exploit   exploitCommand   `cmd:"" help:"Tune the level rush against a level of Luzhanqi, and say how far that exploits it."`
}

func main() {
	parsed := kong.Parse(&commandLine{},
		kong.Description("Measures the built-in players, and the referee."),
		kong.ConfigureHelp(kong.HelpOptions{Compact: true, WrapUpperBound: 100}),
		kong.BindTo(os.Stdout, (*io.Writer)(nil)))
	parsed.FatalIfErrorf(parsed.Run())
}
