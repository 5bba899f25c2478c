package page

import (
	"html/template"
	"net/url"
	"strconv"

	"luzhanqi/serve/film"
	"luzhanqi/text"
)

// Index is the first page: games that are played now, games that were, and records.
type Index struct {
	Events     string // which tell when there is something new
	Seq        string // what the page shows, as events count it
	Live, Over []Card
	Records    []Row
	More       bool // records
}

// Card is a game with a small picture.
type Card struct {
	Href    string
	Game    string
	Players [2]string
	Text    string
	Size    [2]int
	Picture template.HTML
}

// Row is a record in a list.
type Row struct {
	Href, Game, Name, Reason, When string
	Players                        [2]string
	Plies                          int
}

// Add adds a game as far as it is shown in a film.
func (p *Index) Add(f *film.Film, href string, live bool) {
	c := Card{Href: href, Game: f.Game, Players: f.Players, Size: f.Size}
	m := Match{Film: f, Ply: f.Last(), Eyes: f.Eyes[0]}
	c.Text = m.status()
	if f.Begun() {
		c.Picture = template.HTML(f.Board().Picture(f.Pieces(f.Eyes[0], f.Last()), m.marks(), false)) // drawn by the game, which escapes
	}
	if live {
		p.Live = append(p.Live, c)
	} else {
		p.Over = append(p.Over, c)
	}
}

// listPage is what the template of lists gets.
type listPage struct {
	shell
	Heading, Lead string
	Index         *Index
	Records       *Records
	New           *New
	SignIn        *SignIn
	Message       *Message
}

// HTML is the page.
func (p Index) HTML() ([]byte, error) {
	return render("list.html", listPage{shell: newShell("Watch", "/", "live.js"), Heading: "Games", Index: &p})
}

// Records is the page of all records.
type Records struct {
	Rows       []Row // those that are shown
	Withheld   int
	Find       string // words that are looked for
	Page       int    // from 1
	Pages, All int
}

// RecordsShown is how many records a page shows.
const RecordsShown = 100

// Turn is the address of another page; "": there is none.
func (p Records) Turn(by int) string {
	n := p.Page + by
	if n < 1 || n > p.Pages {
		return ""
	}
	q := url.Values{"page": {strconv.Itoa(n)}}
	if p.Find != "" {
		q.Set("find", p.Find)
	}
	return "/records?" + q.Encode()
}

// HTML is the page.
func (p Records) HTML() ([]byte, error) {
	return render("list.html", listPage{
		shell: newShell("Records", "/records", "records.js"), Heading: "Records", Records: &p,
		Lead: "Every game was judged again from its record when you open it.",
	})
}

// New is the page on which a game is begun.
type New struct {
	Games   []NewGame
	Chosen  string // the game that was chosen before
	Problem string // with what was chosen
}

// NewGame is a game that can be played.
type NewGame struct {
	Name, Title string
	Levels      []string
	SetUps      bool
}

// HTML is the page.
func (p New) HTML() ([]byte, error) {
	return render("list.html", listPage{
		shell: newShell("Play", "/play", ""), Heading: "Play", New: &p,
		Lead: "Play with the mouse, by touch, or with the keyboard alone: arrows walk over the board, Enter chooses. Nobody else sees your pieces before the end.",
	})
}

// SignIn is the page on which somebody says who they are.
type SignIn struct {
	Code    string // of a link that lets its bearer in
	Refused bool   // what was given before
}

// HTML is the page.
func (p SignIn) HTML() ([]byte, error) {
	return render("list.html", listPage{shell: newShell("Sign in", "", ""), Heading: "Sign in", SignIn: &p})
}

// Message is a page that says one thing.
type Message struct {
	Heading, Text string
	Events, Seq   string // which tell when its address may lead elsewhere; empty: it does not
}

// HTML is the page.
func (p Message) HTML() ([]byte, error) {
	script := ""
	if p.Events != "" {
		script = "live.js"
	}
	return render("list.html", listPage{shell: newShell(p.Heading, "", script), Heading: p.Heading, Lead: text.Sentence(p.Text), Message: &p})
}
