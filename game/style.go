package game

// DrawStyle says how to draw a board.
type DrawStyle struct {
	Color bool
	Last  *Move // marked when not nil
}

// Codes of terminals for [DrawStyle.Paint], for what the drawings of several games have.
const (
	PaintFirst  = "\x1b[1;37;41m" // player 1's pieces: white on red
	PaintSecond = "\x1b[1;37;44m" // player 2's: white on blue
	PaintLast   = "\x1b[7m"       // squares of the last move
	PaintDim    = "\x1b[2m"
)

// Paint returns the text between a code and the end of all codes, if the style has colour and the code is not empty.
func (s DrawStyle) Paint(code, text string) string {
	if !s.Color || code == "" {
		return text
	}
	return code + text + "\x1b[0m"
}

// Marks says whether a square belongs to the last move.
func (s DrawStyle) Marks(sq Square) bool {
	return s.Last != nil && (sq == s.Last.From || sq == s.Last.To)
}

// Turned is the style for a board that is drawn as the other side sees it.
func (s DrawStyle) Turned(turn func(Move) Move) DrawStyle {
	if s.Last != nil {
		last := turn(*s.Last)
		s.Last = &last
	}
	return s
}
