// Package film turns a game into what a page needs to show it: a picture of each position as one side sees it, and
// a sentence for each move.
//
// A [Film] is made for an audience, once, by [New], and contains nothing that it may not know: not the pictures that
// others see, nor in what order pieces became known to them. [OfRecord] is the film of a whole record, for everybody.
// Two films of games that are the same to their audience are the same.
package film

import (
	"slices"

	"luzhanqi/game"
	"luzhanqi/picture"
)

// Eyes are whose view a picture shows.
type Eyes string

// The eyes.
const (
	All    Eyes = "all"  // the whole board
	First  Eyes = "1"    // what player 1 sees
	Second Eyes = "2"    // what player 2 sees
	Open   Eyes = "open" // what both see: that of an audience that may know no more
)

// Of are the eyes of a side.
func Of(side game.Side) Eyes { return [...]Eyes{First, Second}[side] }

// Film is a game so far.
type Film struct {
	Game    string           `json:"game"`
	Players [2]string        `json:"players"`
	Limit   float64          `json:"limit_ms"` // for a move; 0: none
	Size    [2]int           `json:"size"`
	Cell    [2]int           `json:"cell"`
	Land    [2]string        `json:"land"`    // SVG of the ground: as player 1 sees it, and turned
	Squares []Square         `json:"squares"` // by number
	Faces   []Face           `json:"faces"`   // all pieces that occur in pictures
	Eyes    []Eyes           `json:"eyes"`    // whose views there are, the first at first
	Frames  map[Eyes][]Frame `json:"frames"`  // by ply, the initial position first
	Plies   []Ply            `json:"plies"`   // the move that led to frame i+1
	Mover   int              `json:"mover"`   // whose turn it is after the last of them: 1 or 2
	End     *End             `json:"end,omitempty"`

	game  game.Game
	board *picture.Board
	faces map[Face]int // where they are in Faces
}

// Square is a square and where it is drawn, as player 1 sees it.
type Square struct {
	Name string `json:"name"`
	X    int    `json:"x"`
	Y    int    `json:"y"`
}

// Face is how a piece looks, wherever it stands.
type Face struct {
	Side  int    `json:"side"`
	Class string `json:"class"` // its own, besides those of all pieces of its side
	Shape string `json:"shape"`
	Face  string `json:"face"`
	Name  string `json:"name"`
}

// Known says whether the eyes know what the piece is.
func (f *Face) Known() bool { return f.Name != picture.Unknown }

// Frame says for each square which face is on it, by one character: a dot for none, or [FirstFace] for the first,
// and so on.
type Frame string

// FirstFace is the character of the first face.
const FirstFace = 0x100

// Ply is a move and what it did.
type Ply struct {
	Number int     `json:"n"` // 1 is the first
	Side   int     `json:"side"`
	Move   string  `json:"move"`
	Trace  []int   `json:"trace,omitempty"` // squares to be marked
	Text   string  `json:"text"`            // what everybody may know of it, without who did it
	Short  string  `json:"short"`           // the move for lists
	Took   float64 `json:"ms"`
	Drawn  bool    `json:"drawn,omitempty"` // by the referee
	Said   string  `json:"said,omitempty"`  // the player's own explanation
}

// Choice is a move that may be played now.
type Choice struct {
	Move string `json:"move"`
	From int    `json:"from"`
	To   int    `json:"to"`
}

// End is how the game ended.
type End struct {
	Code   string `json:"code"`
	Reason string `json:"reason"`
	Winner int    `json:"winner,omitempty"`
}

// New is the film of a game that has not begun, with one set of pictures for each of the eyes. Where a game hides
// nothing, one is enough, and the others are left out when the first position is added.
func New(g game.Game, players [2]string, limitMS float64, eyes ...Eyes) *Film {
	return &Film{
		Game: g.Name(), Players: players, Limit: limitMS, Frames: map[Eyes][]Frame{}, Squares: []Square{}, Faces: []Face{}, Plies: []Ply{},
		Eyes: eyes, game: g, faces: map[Face]int{},
	}
}

// Begin adds the initial position.
func (f *Film) Begin(pos game.Position) {
	if !hides(f.game, pos) {
		f.Eyes = []Eyes{All}
	}
	f.begin(pos)
	f.shoot(pos.Mover(), func(e Eyes) []picture.Piece { return seen(f.game, pos, e) })
}

// BeginSeen adds the initial position as one side sees it, whose eyes alone the film has.
func (f *Film) BeginSeen(v game.View) {
	f.begin(v)
	f.shoot(v.Mover(), func(Eyes) []picture.Piece {
		_, pieces := game.Picture(f.game, v)
		return pieces
	})
}

func (f *Film) begin(drawn interface{ Draw(game.DrawStyle) string }) {
	f.board, _ = game.Picture(f.game, drawn)
	f.Size, f.Cell = [2]int{f.board.Width, f.board.Height}, f.board.Cell
	f.Land = [2]string{f.board.Land(false), f.board.Land(true)}
	for _, s := range f.board.Squares {
		f.Squares = append(f.Squares, Square{s.Name, s.X, s.Y})
	}
}

// Begun says whether there is a position.
func (f *Film) Begun() bool { return f.board != nil }

// Move adds a move by a side, which led to pos; p has what they do not tell.
func (f *Film) Move(side game.Side, m game.Move, pos game.Position, p Ply) {
	f.move(side, m, pos, p)
	f.shoot(pos.Mover(), func(e Eyes) []picture.Piece { return seen(f.game, pos, e) })
}

// MoveSeen adds a move by a side, after which one side sees v.
func (f *Film) MoveSeen(side game.Side, m game.Move, v game.View, p Ply) {
	f.move(side, m, v, p)
	f.shoot(side.Other(), func(Eyes) []picture.Piece {
		_, pieces := game.Picture(f.game, v)
		return pieces
	})
}

func (f *Film) move(side game.Side, m game.Move, after any, p Ply) {
	p.Number, p.Side, p.Move = len(f.Plies)+1, side.Number(), f.game.FormatMove(m)
	p.Text, p.Short = p.Move, p.Move
	if told, ok := after.(game.Narrated); ok {
		if sentence, short, ok := told.Told(); ok {
			p.Text, p.Short = sentence, short
		}
	}
	p.Trace = f.trace(m)
	f.Plies = append(f.Plies, p)
}

// trace are the squares of a move; none on a plain grid, whose squares are not the game's.
func (f *Film) trace(m game.Move) []int {
	switch _, ok := f.game.(game.PicturedGame); {
	case !ok:
		return nil
	case m.From == m.To:
		return []int{int(m.To)}
	}
	return []int{int(m.From), int(m.To)}
}

// Choices are the moves that a side may play, for pages. On a plain grid they have no squares.
func (f *Film) Choices(moves []game.Move) []Choice {
	all := []Choice{}
	for _, m := range moves {
		c := Choice{Move: f.game.FormatMove(m), From: -1, To: -1}
		if t := f.trace(m); t != nil {
			c.From, c.To = t[0], t[len(t)-1]
		}
		all = append(all, c)
	}
	return all
}

// Last is the number of the last ply.
func (f *Film) Last() int { return len(f.Plies) }

// Has says whether a position is seen by these eyes.
func (f *Film) Has(e Eyes) bool { return slices.Contains(f.Eyes, e) }

// shoot takes the pictures of a position.
func (f *Film) shoot(mover game.Side, seen func(Eyes) []picture.Piece) {
	f.Mover = mover.Number()
	for _, e := range f.Eyes {
		frame := make([]rune, len(f.Squares))
		for i := range frame {
			frame[i] = '.'
		}
		for _, p := range seen(e) {
			if p.Square < len(frame) { // of a plain grid that has grown, it is cut
				frame[p.Square] = rune(FirstFace + f.face(p))
			}
		}
		f.Frames[e] = append(f.Frames[e], Frame(frame))
	}
}

// face is the number of a piece's face.
func (f *Film) face(p picture.Piece) int {
	face := Face{p.Side, p.Class, p.Shape, p.Face, p.Name}
	n, known := f.faces[face]
	if !known {
		n = len(f.Faces)
		f.faces[face] = n
		f.Faces = append(f.Faces, face)
	}
	return n
}

// seen are the pieces of a position that eyes see.
func seen(g game.Game, pos game.Position, e Eyes) []picture.Piece {
	var pieces []picture.Piece
	switch e {
	case First, Second:
		side := game.First
		if e == Second {
			side = game.Second
		}
		_, pieces = game.Picture(g, pos.View(side))
	case Open:
		pieces = game.OpenPieces(g, pos)
	default:
		_, pieces = game.Picture(g, pos)
	}
	return pieces
}

// hides says whether a game hides something of a position from one of its sides.
func hides(g game.Game, pos game.Position) bool {
	whole := seen(g, pos, All)
	return !slices.Equal(whole, seen(g, pos, First)) || !slices.Equal(whole, seen(g, pos, Second))
}

// Pieces are those of a frame.
func (f *Film) Pieces(e Eyes, ply int) (all []picture.Piece) {
	for sq, c := range []rune(f.Frames[e][ply]) {
		if c != '.' {
			face := f.Faces[c-FirstFace]
			all = append(all, picture.Piece{Square: sq, Side: face.Side, Class: face.Class, Shape: face.Shape, Face: face.Face, Name: face.Name})
		}
	}
	return all
}

// Board is the board; nil before the first position.
func (f *Film) Board() *picture.Board { return f.board }
