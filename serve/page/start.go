package page

import (
	"fmt"
	"html/template"
	"math/rand/v2"
	"strings"

	"luzhanqi/game"
	"luzhanqi/picture"
)

// Start is a page on which a game is begun: by who chooses everything, by a guest, or when a guest comes.
type Start struct {
	Heading, Lead, Chosen, Problem string
	Action                         string // where the form goes
	Game                           string // by its name; empty: nothing can be chosen
	Levels                         []string
	Level, Side, Name              string // chosen before
	SetUps                         []Offered
	Editor                         *editor

	Link   string // to be given to a guest; empty: nobody is waited for
	Events string // which tell when the guest has come
}

// Offered is a set-up to choose.
type Offered struct {
	Text    game.SetUp
	Box     string // what the picture shows of the board
	Picture template.HTML
	Chosen  bool
}

// editor is what a script needs for changing a set-up by hand. It knows squares, and how each piece looks and is written; no rules.
type editor struct {
	Check   string                `json:"check"` // where to ask whether a set-up is legal
	Cell    [2]int                `json:"cell"`
	Pieces  map[string]setUpPiece `json:"pieces"` // as set-ups name them
	Squares map[string][2]int     `json:"squares"`

	Box  string        `json:"-"`
	Land template.HTML `json:"-"`
}

type setUpPiece struct {
	Name string `json:"name"`
	SVG  string `json:"svg"` // around 0,0
}

// Offer adds set-ups of a game to choose from. Where set-ups name the square of each piece, they can be changed, too.
func (p *Start) Offer(g game.Game, all []game.SetUp) {
	e := &editor{Check: "/set-ups/" + g.Name(), Pieces: map[string]setUpPiece{}, Squares: map[string][2]int{}}
	random := rand.New(rand.NewPCG(1, 1))
	for i, setUp := range all {
		pos, err := g.New(nil, [2]game.SetUp{setUp, g.RandomSetUp(random)})
		if err != nil {
			continue // the game's own set-ups are legal, and others were checked
		}
		b, pieces := game.Picture(g, pos.View(game.First))
		left, right, top, bottom := b.Width, 0, b.Height, 0
		var own []picture.Piece
		on := map[string]picture.Piece{}
		for _, piece := range pieces {
			if piece.Side != game.First.Number() {
				continue
			}
			own = append(own, piece)
			s := b.Squares[piece.Square]
			on[s.Name] = piece
			left, right = min(left, s.X-b.Cell[0]), max(right, s.X+b.Cell[0])
			top, bottom = min(top, s.Y-b.Cell[1]), max(bottom, s.Y+b.Cell[1])
		}
		left, right, top, bottom = max(0, left), min(b.Width, right), max(0, top), min(b.Height, bottom)
		box := fmt.Sprintf("%d %d %d %d", left, top, right-left, bottom-top)
		p.SetUps = append(p.SetUps, Offered{Text: setUp, Box: box, Chosen: i == 0, Picture: template.HTML(b.Picture(own, picture.Marks{}, false))})
		if e == nil {
			continue
		}
		e.Cell, e.Box, e.Land = b.Cell, box, template.HTML(b.Land(false))
		for word := range strings.FieldsSeq(string(setUp)) {
			square, name, _ := strings.Cut(word, ":")
			piece, ok := on[square]
			if !ok { // set-ups of this game are written in another way
				e = nil
				break
			}
			s := b.Squares[piece.Square]
			e.Squares[square] = [2]int{s.X, s.Y}
			still := picture.Board{Squares: []picture.Square{{}}}
			piece.Square = 0
			e.Pieces[name] = setUpPiece{piece.Name, still.Piece(piece, false)}
		}
	}
	p.Editor = e
}

// startPage is what the template of such pages gets.
type startPage struct {
	shell
	Start
}

// HTML is the page.
func (p Start) HTML() ([]byte, error) {
	return render("start.html", startPage{newShell(p.Heading, p.Chosen, "start.js"), p})
}
