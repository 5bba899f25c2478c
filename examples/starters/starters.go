// Package starters has complete programs to start from: for Luzhanqi and Jungle in five languages, for the other games in
// Python. Each is a folder LANGUAGE/GAME with one source file, which is also in this binary: [Languages] and [Source].
package starters

import (
	"embed"
	"path"
	"slices"
	"strings"
)

//go:embed python java cpp javascript go
var folders embed.FS

// A Language is one that there are starters in.
type Language struct {
	Name  string   // its folder
	Title string   // as people write it
	File  string   // the source file
	Build string   // the command line that builds it in its folder, or only finds what is not of the language: a course's build line
	Run   string   // the command line that starts it there
	Needs []string // the programs that both need
}

// Languages are all, the one that needs least first. The options of Java halve the time that it takes to start.
var Languages = []Language{
	{"python", "Python", "bot.py", "python3 -m py_compile bot.py", "python3 bot.py", []string{"python3"}},
	{"java", "Java", "Bot.java", "javac Bot.java", "java -XX:+UseSerialGC -XX:TieredStopAtLevel=1 Bot", []string{"javac", "java"}},
	{"cpp", "C++", "bot.cpp", "g++ -O2 -o bot bot.cpp", "./bot", []string{"g++"}},
	{"javascript", "JavaScript", "bot.js", "node --check bot.js", "node bot.js", []string{"node"}},
	{"go", "Go", "main.go", "go build -o bot .", "./bot", []string{"go"}},
}

// Find returns a language by its name, or by what people write in small letters, c++.
func Find(name string) (l Language, ok bool) {
	i := slices.IndexFunc(Languages, func(l Language) bool { return l.Name == name || strings.ToLower(l.Title) == name })
	if i < 0 {
		return l, false
	}
	return Languages[i], true
}

// Names are the names of all languages.
func Names() (all []string) {
	for _, l := range Languages {
		all = append(all, l.Name)
	}
	return all
}

// Games are those that there is a starter for in this language, by name.
func (l Language) Games() (all []string) {
	entries, err := folders.ReadDir(l.Name)
	if err != nil {
		panic(err) // it is in this binary
	}
	for _, e := range entries {
		all = append(all, e.Name())
	}
	return all
}

// Source is the text of the starter for a game, which is one of [Language.Games].
func (l Language) Source(game string) ([]byte, error) {
	return folders.ReadFile(path.Join(l.Name, game, l.File))
}
