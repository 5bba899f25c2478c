package sexpr

import (
	"strings"
	"sync"

	"github.com/alecthomas/participle/v2"
)

// The grammar of the seed, with the common "(" of a player's messages drawn to
// the front: so one token always decides, and a lookahead of 0 makes
// participle report the first token that fits nothing instead of going back.

type playerText struct {
	Resign  bool            `parser:"'(' ( @'resign' ')'"`
	From    Square          `parser:"| @Square"`
	To      Square          `parser:"  @Square ')'"`
	Initial []placementText `parser:"| @@+ Close"`
	Empty   bool            `parser:"| @Close )"`
}

type placementText struct {
	Square Square `parser:"'(' @Square"`
	Piece  string `parser:"@('F'|'L'|'B'|'1'|'2'|'3'|'4'|'5'|'6'|'7'|'8'|'9') ')'"`
}

type refereeText struct {
	Init     Which     `parser:"'(' ( 'init' @('1'|'2')"`
	Seconds  string    `parser:"      'time/move' @Seconds"`
	Go       Which     `parser:"    | 'go' @('1'|'2')"`
	Outcome  *moveText `parser:"    | 'outcome' ( @@"`
	Compare  Compare   `parser:"                | @('<'|'>'|'=')"`
	Compared *moveText `parser:"                  @@ )"`
	Illegal  *moveText `parser:"    | 'illegal' @@"`
	Flag     Which     `parser:"    | 'flag' @('1'|'2')"`
	Square   Square    `parser:"      @Square"`
	End      *int      `parser:"    | 'end' @('0'|'1'|'2') ) ')'"`
}

type moveText struct {
	From Square `parser:"'(' @Square"`
	To   Square `parser:"@Square ')'"`
}

// The parsers are built when the first message is parsed: half a millisecond, which every start of a program
// that imports this package would cost.
var (
	playerParser  = sync.OnceValue(build[playerText])
	refereeParser = sync.OnceValue(build[refereeText])
)

func build[Text any]() *participle.Parser[Text] {
	return participle.MustBuild[Text](participle.Lexer(tokens{}), participle.UseLookahead(0))
}

// ParsePlayer reads one message of a player, with any blanks between its items
// and around it. A set-up without placements is an empty Initial, not nil. The
// error is a [*SyntaxError].
func ParsePlayer(text []byte) (PlayerMessage, error) {
	if move, ok := LookupMove(text); ok {
		return move, nil
	}
	if initial, ok := LookupInitial(text); ok {
		return initial, nil
	}
	parsed, err := parse(playerParser(), text)
	switch {
	case err != nil:
		return nil, err
	case parsed.Resign:
		return Resign{}, nil
	case parsed.From != "":
		return Move{From: parsed.From, To: parsed.To}, nil
	}
	initial := make(Initial, len(parsed.Initial))
	for i, placement := range parsed.Initial {
		initial[i] = Placement{Square: placement.Square, Piece: Piece(placement.Piece[0])}
	}
	return initial, nil
}

// ParseReferee reads one message of a referee, with any blanks between its
// items and around it. The error is a [*SyntaxError]. A message holds copies
// only: the text may be long, and a message may be kept for a game.
func ParseReferee(text []byte) (RefereeMessage, error) {
	parsed, err := parse(refereeParser(), text)
	switch {
	case err != nil:
		return nil, err
	case parsed.Init != 0:
		return Init{Which: parsed.Init, Seconds: Seconds(strings.Clone(parsed.Seconds))}, nil
	case parsed.Go != 0:
		return Go{Which: parsed.Go}, nil
	case parsed.Outcome != nil:
		return Outcome{Compare: None, Move: Move(*parsed.Outcome)}, nil
	case parsed.Compared != nil:
		return Outcome{Compare: Compare(strings.Clone(string(parsed.Compare))), Move: Move(*parsed.Compared)}, nil
	case parsed.Illegal != nil:
		return Illegal{Move: Move(*parsed.Illegal)}, nil
	case parsed.Flag != 0:
		return Flag{Which: parsed.Flag, Square: parsed.Square}, nil
	default:
		return End{Winner: *parsed.End}, nil
	}
}

// parse runs a parser over a text that keeps the default limits, and puts its
// errors into our words.
func parse[Text any](parser *participle.Parser[Text], text []byte) (*Text, error) {
	if err := withinLimits(text); err != nil {
		return nil, err
	}
	whole := string(text)
	parsed, err := parser.ParseString("", whole)
	if err != nil {
		return nil, syntaxError(whole, err)
	}
	return parsed, nil
}

// withinLimits refuses what a framer would refuse: participle cuts the whole
// text into tokens of some 100 bytes before it looks at the first.
func withinLimits(text []byte) error {
	if len(text) > DefaultLimits.Bytes {
		return tooLong(text)
	}
	depth := 0
	for at, c := range text {
		switch {
		case c == '(' && depth == DefaultLimits.Depth:
			return tooDeep(at)
		case c == '(':
			depth++
		case c == ')' && depth > 0:
			depth--
		}
	}
	return nil
}
