// Package page makes the pages: HTML that can be read without scripts, and the static files that go with it.
//
// [Match] is the page of a game, live or recorded, at one ply; [Match.File] the same as one file that needs nothing
// else. A page contains what its film contains, and a film what its audience may know. What is drawn here is drawn by
// match.js in the same way from the same parts, when somebody steps through the game.
package page

import (
	"bytes"
	"crypto/sha256"
	"embed"
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"html/template"
	"io/fs"
	"maps"
	"regexp"
	"slices"
	"strings"
	"sync"

	"luzhanqi/picture"
)

//go:embed layout.html match.html list.html start.html static
var files embed.FS

// Policy is the content security policy of all pages that are served: only what comes from the server itself, and no
// script or style in the page.
const Policy = "default-src 'none'; style-src 'self'; script-src 'self'; font-src 'self'; img-src 'self' data:; connect-src 'self'; " +
	"base-uri 'none'; form-action 'self'; frame-ancestors 'none'"

// Whole is what a server adds to the policy that stands in a page which needs nothing else.
const Whole = "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

// Written is the policy of a page that was written before, by another command: nothing but the styles that are in it.
func Written(html []byte) string {
	allowed := "'none'"
	for i, style := range styles.FindAllSubmatch(html, -1) {
		if i == 0 {
			allowed = ""
		}
		allowed += " '" + digest(string(style[1])) + "'"
	}
	return "default-src 'none'; img-src data:; font-src data:; style-src " + strings.TrimSpace(allowed) + "; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
}

var styles = regexp.MustCompile(`(?s)<style>(.*?)</style>`)

// Link leads somewhere.
type Link struct {
	Href, Label string
	Chosen      bool
}

// shell is what all pages have.
type shell struct {
	Title  string
	Nav    []Link
	Script string // of the static files; empty: none
	Stamp  string
	Anew   bool // without scripts it is loaded again and again, until something has happened

	Alone  bool // a file of its own
	Policy string
	CSS    template.CSS
	JS     template.JS
}

func newShell(title, chosen, script string) shell {
	s := shell{Title: title, Script: script, Stamp: stamp()}
	for _, l := range []Link{{Href: "/", Label: "Watch"}, {Href: "/play", Label: "Play"}, {Href: "/records", Label: "Records"}, {Href: "/tournaments", Label: "Tournaments"}, {Href: "/courses", Label: "Courses"}} {
		l.Chosen = l.Href == chosen
		s.Nav = append(s.Nav, l)
	}
	return s
}

// alone makes a shell for a file that stands alone: its style and script are in it, and its policy allows these only.
func (s shell) alone() shell {
	css, js := StyleSheet(true), string(static("match.js"))
	s.Alone, s.CSS, s.JS = true, template.CSS(css), template.JS(js)
	s.Policy = fmt.Sprintf("default-src 'none'; style-src '%s'; script-src '%s'; font-src data:; base-uri 'none'; form-action 'none'", digest(css), digest(js))
	return s
}

func digest(text string) string {
	sum := sha256.Sum256([]byte(text))
	return "sha256-" + base64.StdEncoding.EncodeToString(sum[:])
}

func static(name string) []byte {
	text, err := files.ReadFile("static/" + name)
	if err != nil {
		panic(err) // it is part of the program
	}
	return text
}

// StyleSheet is the CSS of all pages and boards; alone: for a file with the font in it.
func StyleSheet(alone bool) string {
	font := `@font-face { font-family: "` + picture.FontFamily + `"; src: url(/static/pieces.woff2) format("woff2"); font-display: block; }` + "\n"
	if alone {
		font = ""
	}
	return font + picture.Style(alone) + boardStyles() + string(static("style.css"))
}

// Static are the files below /static/, by name.
var Static = sync.OnceValue(func() map[string][]byte {
	all := map[string][]byte{"pieces.woff2": picture.Font}
	entries, err := fs.ReadDir(files, "static")
	if err != nil {
		panic(err)
	}
	for _, e := range entries {
		all[e.Name()] = static(e.Name())
	}
	all["style.css"] = []byte(StyleSheet(false))
	return all
})

// stamp changes the address of static files when they change, so that browsers may keep them.
var stamp = sync.OnceValue(func() string {
	sum, all := sha256.New(), Static()
	for _, name := range slices.Sorted(maps.Keys(all)) {
		sum.Write(all[name])
	}
	return "?" + hex.EncodeToString(sum.Sum(nil))[:12]
})

var templates = sync.OnceValue(func() map[string]*template.Template {
	all := map[string]*template.Template{}
	for _, name := range []string{"match.html", "list.html", "start.html"} {
		all[name] = template.Must(template.ParseFS(files, "layout.html", name))
	}
	return all
})

func render(name string, data any) ([]byte, error) {
	var b bytes.Buffer
	err := templates()[name].ExecuteTemplate(&b, "layout.html", data)
	return b.Bytes(), err
}
