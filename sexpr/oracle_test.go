package sexpr_test

import (
	"fmt"
	"regexp"
	"strings"

	"luzhanqi/sexpr"

	"pgregory.net/rapid"
)

// The grammar once more, as regular expressions: it has no recursion, so these
// decide what the parsers must accept. A "_" stands for any blanks, a blank
// for one or more; blanks may be missing only beside a parenthesis.
var (
	square = `[A-E](?:1[0-2]|[1-9])`
	move   = `\(_` + square + ` ` + square + `_\)`

	playerLanguage = language(
		`\(_resign_\)`,
		move,
		`\(_(?:\(_`+square+` [FLB1-9]_\)_)*\)`,
	)
	refereeLanguage = language(
		`\(_init [12] time/move [0-9]+(?:\.[0-9]+)?_\)`,
		`\(_go [12]_\)`,
		`\(_outcome(?: [<>=])?_`+move+`_\)`,
		`\(_illegal_`+move+`_\)`,
		`\(_flag [12] `+square+`_\)`,
		`\(_end [012]_\)`,
	)
)

func language(productions ...string) *regexp.Regexp {
	const blank = `[ \t\n\v\f\r]`
	all := `_(?:` + strings.Join(productions, "|") + `)_`
	all = strings.ReplaceAll(all, " ", blank+"+")
	return regexp.MustCompile(`\A` + strings.ReplaceAll(all, "_", blank+"*") + `\z`)
}

func allSquares() []sexpr.Square {
	var all []sexpr.Square
	for column := 'A'; column <= 'E'; column++ {
		for row := 1; row <= 12; row++ {
			all = append(all, sexpr.Square(fmt.Sprintf("%c%d", column, row)))
		}
	}
	return all
}

// Generators of whole messages, legal by the grammar alone.
var (
	squares = rapid.SampledFrom(allSquares())
	whiches = rapid.SampledFrom([]sexpr.Which{1, 2})
	moves   = rapid.Custom(func(t *rapid.T) sexpr.Move {
		return sexpr.Move{From: squares.Draw(t, "from"), To: squares.Draw(t, "to")}
	})
	seconds = rapid.Map(rapid.StringMatching(`[0-9]{1,12}(\.[0-9]{1,12})?`),
		func(digits string) sexpr.Seconds { return sexpr.Seconds(digits) })
	placements = rapid.Custom(func(t *rapid.T) sexpr.Placement {
		return sexpr.Placement{
			Square: squares.Draw(t, "square"),
			Piece:  rapid.SampledFrom([]sexpr.Piece("FLB123456789")).Draw(t, "piece"),
		}
	})

	playerMessages = rapid.Custom(func(t *rapid.T) sexpr.PlayerMessage {
		switch rapid.IntRange(0, 3).Draw(t, "message") {
		case 0:
			return sexpr.Resign{}
		case 1:
			return moves.Draw(t, "move")
		default:
			return sexpr.Initial(rapid.SliceOfN(placements, 0, 30).Draw(t, "set-up"))
		}
	})
	refereeMessages = rapid.Custom(func(t *rapid.T) sexpr.RefereeMessage {
		switch rapid.IntRange(0, 5).Draw(t, "message") {
		case 0:
			return sexpr.Init{Which: whiches.Draw(t, "which"), Seconds: seconds.Draw(t, "seconds")}
		case 1:
			return sexpr.Go{Which: whiches.Draw(t, "which")}
		case 2:
			compares := []sexpr.Compare{sexpr.None, sexpr.Less, sexpr.Greater, sexpr.Equal}
			return sexpr.Outcome{
				Compare: rapid.SampledFrom(compares).Draw(t, "compare"),
				Move:    moves.Draw(t, "move"),
			}
		case 3:
			return sexpr.Illegal{Move: moves.Draw(t, "move")}
		case 4:
			return sexpr.Flag{Which: whiches.Draw(t, "which"), Square: squares.Draw(t, "square")}
		default:
			return sexpr.End{Winner: rapid.IntRange(0, 2).Draw(t, "winner")}
		}
	})
)

// loosen writes a canonical text as a program might: other blanks where one
// stands, blanks or none beside parentheses.
func loosen(t *rapid.T, canonical string) string {
	any := rapid.StringOfN(rapid.SampledFrom([]rune(" \t\n\v\f\r")), 0, 3, -1)
	some := rapid.StringOfN(rapid.SampledFrom([]rune(" \t\n\v\f\r")), 1, 3, -1)
	var loose strings.Builder
	for i, c := range canonical {
		switch {
		case c == '(' || c == ')':
			loose.WriteString(any.Draw(t, "before") + string(c) + any.Draw(t, "after"))
		case c == ' ' && strings.ContainsAny(canonical[i-1:i]+canonical[i+1:i+2], "()"):
			loose.WriteString(any.Draw(t, "between"))
		case c == ' ':
			loose.WriteString(some.Draw(t, "between"))
		default:
			loose.WriteRune(c)
		}
	}
	return loose.String()
}
