package report

import (
	"bytes"
	"fmt"
	"html/template"
	"strings"

	"luzhanqi/game"
	"luzhanqi/game/games"
	"luzhanqi/picture"
	"luzhanqi/referee/record"
	"luzhanqi/text"
	"luzhanqi/tournament/page"
)

// Boards is the folder of the pages of a submission's games, below that of its results.
const Boards = "games"

// maxBoards is how large the page of a game may be, in bytes. Of one that would be larger, plies in the middle are left out.
const maxBoards = 512 << 10

// plyStyle shows one ply at a time: the one that the address names, or the last one, which comes last in the text.
const plyStyle = template.CSS(`
.ply { display: none; } .ply:target, #end { display: block; } .ply:target ~ #end { display: none; }
.frames { display: flex; flex-wrap: wrap; gap: 1rem 2rem; } .frames figure { margin: 0; max-width: 22rem; flex: 1 1 15rem; } .frames svg { width: 100%; }
.frames figcaption { color: var(--soft); }
.keys a, .keys span { display: inline-block; padding: .25rem .7rem; border: 1px solid var(--line); border-radius: .3rem; text-decoration: none; } .keys span { color: var(--soft); }
.moves { columns: 9rem; padding-left: 2.5rem; }
svg.looks { position: absolute; width: 0; height: 0; }
pre { overflow-x: auto; line-height: 1.15; }
`)

// BoardPage writes the page of one game, ply by ply, from its record: all pieces as player 1 sees the board, and what the
// submission, which had a seat, saw in its own frame. recordLink leads to the record; empty: it was not kept. The opponent may be
// another submission, which is not named.
func BoardPage(title, recordLink string, played []byte, seat game.Side, unnamed bool) ([]byte, error) {
	return boardPage(title, recordLink, played, seat, unnamed, maxBoards)
}

// Unnamed is a sentence about a game without the name of a side.
func Unnamed(said string, side game.Side, name string) string {
	return strings.ReplaceAll(said, fmt.Sprintf("player %v (%s)", side, name), fmt.Sprintf("player %v", side))
}

func boardPage(title, recordLink string, played []byte, seat game.Side, unnamed bool, most int) ([]byte, error) {
	replay, err := record.Read(bytes.NewReader(played), games.Find)
	if err != nil {
		return nil, err
	}
	if end := replay.Ending; end != nil && unnamed {
		other := seat.Other()
		end.Reason = Unnamed(end.Reason, other, replay.Header.Players[other].Name)
	}
	g, err := games.Find(replay.Header.Game)
	if err != nil {
		return nil, err
	}
	f := &film{game: g, replay: replay, seat: seat, ids: map[string]string{}}
	head, tail := len(replay.Positions), 0
	for {
		out, err := f.page(title, recordLink, head, tail)
		if err != nil || len(out) <= most || head+tail <= 2 {
			return out, err
		}
		keep := (head + tail) * 4 / 5
		head = min(20, keep/4)
		tail = keep - head
	}
}

// film makes the pages of one game.
type film struct {
	game   game.Game
	replay *record.Replay
	seat   game.Side
	ids    map[string]string // of what is drawn more than once: its SVG → the id
	defs   strings.Builder
}

// plyPage is one ply on it.
type plyPage struct {
	ID                       string
	Title                    string
	Frames                   []frame
	First, Back, Prev        string // ids; empty: there is none
	Next, Forward, Last, End string
}

type frame struct {
	Caption string
	Board   template.HTML
}

// page draws the first and the last plies.
func (f *film) page(title, recordLink string, head, tail int) ([]byte, error) {
	f.ids, f.defs = map[string]string{}, strings.Builder{}
	n := len(f.replay.Positions)
	var plies []int
	for ply := range n {
		if ply < head || ply >= n-tail {
			plies = append(plies, ply)
		}
	}
	var pages []plyPage
	id := func(at int) string {
		switch {
		case at < 0 || at >= len(plies):
			return ""
		case at == len(plies)-1:
			return "end"
		}
		return fmt.Sprintf("p%d", plies[at])
	}
	var moves []plyPage
	for at, ply := range plies {
		p := plyPage{ID: id(at), Title: f.title(ply), Frames: f.frames(ply)}
		if at > 0 {
			p.First, p.Back, p.Prev = id(0), id(max(0, at-10)), id(at-1)
		}
		if at < len(plies)-1 {
			p.Next, p.Forward, p.Last = id(at+1), id(min(len(plies)-1, at+10)), "end"
		}
		pages = append(pages, p)
		if ply > 0 {
			moves = append(moves, plyPage{ID: p.ID, Title: fmt.Sprintf("%d. %s", ply, f.move(ply))})
		}
	}
	data := map[string]any{
		"Title": title, "Style": page.Style() + plyStyle, "Plies": pages, "Moves": moves, "Left": n - len(plies), "From": head, "Record": recordLink,
		"Game": f.game.Title(), "Defs": template.HTML(f.defs.String()),
	}
	if pictured, ok := f.game.(game.PicturedGame); ok {
		data["BoardStyle"] = template.CSS(picture.Style(true) + pictured.Board().Style)
	}
	if end := f.replay.Ending; end != nil {
		data["Reason"], data["Lines"] = end.Reason, strings.Join(end.LastLines, "\n")
	}
	return render("boards.html", data)
}

// played is the move that led to a position, in player 1's frame.
func (f *film) played(ply int) *game.Move {
	if ply == 0 {
		return nil
	}
	m, err := f.game.ParseMove(f.replay.Moves[ply-1].Move)
	if err != nil {
		return nil
	}
	return &m
}

// move is how the submission writes it.
func (f *film) move(ply int) string {
	if m := f.played(ply); m != nil {
		return f.game.FormatMove(game.InFrame(f.game, *m, f.seat))
	}
	return ""
}

func (f *film) title(ply int) string {
	if ply == 0 {
		return "Before the first move"
	}
	line := f.replay.Moves[ply-1]
	who := "the opponent"
	if line.Side == f.seat.Number() {
		who = "your program"
	}
	said := fmt.Sprintf("Ply %d: %s plays %s", ply, who, f.move(ply))
	if other := f.replay.Moves[ply-1].Move; other != f.move(ply) {
		said += fmt.Sprintf(" (%s as player 1 sees it)", other)
	}
	return said + fmt.Sprintf(", in %.1f ms", line.Took)
}

// frames are the boards of a ply: the whole, and what the submission saw, unless that is the same.
func (f *film) frames(ply int) []frame {
	pos := f.replay.Positions[ply]
	view := pos.View(f.seat)
	last := f.played(ply)
	pictured, ok := f.game.(game.PicturedGame)
	whole, drawn := pos.(game.Pictured)
	if !ok || !drawn {
		style := game.DrawStyle{Last: last}
		return []frame{
			{"All pieces", template.HTML("<pre tabindex=\"0\">" + template.HTMLEscapeString(text.PrintableLines(pos.Draw(style))) + "</pre>")},
			{"What your program saw", template.HTML("<pre tabindex=\"0\">" + template.HTMLEscapeString(text.PrintableLines(view.Draw(style))) + "</pre>")},
		}
	}
	var trace picture.Marks
	if last != nil {
		if trace.Trace = []int{int(last.From), int(last.To)}; last.From == last.To {
			trace.Trace = trace.Trace[:1]
		}
	}
	board := pictured.Board()
	seen, hides := view.(game.Pictured)
	all := []frame{f.draw("All pieces, player 1 below", board, whole.Pieces(), trace, false)}
	switch {
	case hides:
		all = append(all, f.draw(fmt.Sprintf("What your program saw, as player %v", f.seat), board, seen.Pieces(), trace, f.seat == game.Second))
	case f.seat == game.Second:
		all = append(all, f.draw("The same from your program's side, player 2", board, whole.Pieces(), trace, true))
	}
	return all
}

// once gives an id to what is drawn more than once, and draws it where it is seen by its id only.
func (f *film) once(svg string) string {
	id, known := f.ids[svg]
	if !known {
		id = fmt.Sprintf("x%d", len(f.ids))
		f.ids[svg] = id
		fmt.Fprintf(&f.defs, `<g id="%s">%s</g>`+"\n", id, svg)
	}
	return id
}

// rotated says whether player 2 calls squares as player 1 does from the other side, so that a turned board has the same names.
func (f *film) rotated(b *picture.Board) bool {
	first := game.InFrame(f.game, game.Move{}, game.Second).From
	return int(first) == len(b.Squares)-1
}

// draw is a board whose ground, rows and kinds of pieces are drawn once in the whole page.
func (f *film) draw(caption string, b *picture.Board, pieces []picture.Piece, m picture.Marks, turned bool) frame {
	var s strings.Builder
	fmt.Fprintf(&s, `<svg class="board" role="img" aria-label="%s" viewBox="0 0 %d %d"><use href="#%s"/>`, picture.Escape(caption), b.Width, b.Height,
		f.once(fmt.Sprintf(`<rect class="table" width="%d" height="%d" rx="10"/>`, b.Width, b.Height)+b.Land(turned && !f.rotated(b))))
	if trace := b.Trace(m, turned); trace != "" {
		fmt.Fprintf(&s, `<path class="trace" d="%s"/>`, trace)
	}
	rows := map[int]*strings.Builder{}
	var order []int
	for _, p := range pieces {
		x, y := b.At(p.Square, turned)
		shape := p.Shape
		if (p.Side == 2) != turned {
			shape = `<g transform="rotate(180)">` + shape + `</g>`
		}
		look := f.once(fmt.Sprintf(`<g class="%s"><title>%s</title>%s%s</g>`, p.Classes(), picture.Escape(p.Name), shape, p.Face))
		if rows[y] == nil {
			rows[y] = &strings.Builder{}
			order = append(order, y)
		}
		fmt.Fprintf(rows[y], `<use href="#%s" x="%d" y="%d"/>`, look, x, y)
	}
	for _, y := range order {
		fmt.Fprintf(&s, `<use href="#%s"/>`, f.once(rows[y].String()))
	}
	s.WriteString(`</svg>`)
	return frame{caption, template.HTML(s.String())}
}
