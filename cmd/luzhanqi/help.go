package main

import (
	"os"
	"strings"

	"github.com/alecthomas/kong"

	"luzhanqi/check"
)

// examples are shown at the end of each command's --help, and by luzhanqi help COMMAND: what people do with it most, first.
var examples = map[string][]string{
	"match": {
		"luzhanqi match",
		"luzhanqi match 'python3 bot.py' builtin:greedy --games 20 --record records",
		"luzhanqi match --game jungle ./bot './bot --old' --games 1000 --sprt 0,10",
		"luzhanqi match ./bot builtin:random --stderr show",
	},
	"play": {
		"luzhanqi play --game quagmire --against easy",
		"luzhanqi play --against random --setup @mine.txt",
		"luzhanqi play --resume",
	},
	"tournament run":    {"luzhanqi tournament run plan.toml --store autumn"},
	"tournament show":   {"luzhanqi tournament show plan.toml --store autumn --cross"},
	"tournament report": {"luzhanqi tournament report plan.toml --html autumn.html --games autumn.csv"},
	"tournament check":  {"luzhanqi tournament check plan.toml"},
	"tournament stop":   {"luzhanqi tournament stop plan.toml --store autumn"},
	"tournament reset":  {"luzhanqi tournament reset plan.toml --store autumn"},
	"tune":              {"luzhanqi tune plan.toml --plot course.svg", "luzhanqi tune plan.toml --show"},
	"worker":            {"luzhanqi worker nats://coordinator:4222 --concurrency 4"},
	"check": {
		"luzhanqi check 'python3 bot.py'",
		"luzhanqi check --game jungle ./bot --only moves-legal --seed 7",
		"luzhanqi check --list",
	},
	"grade":          {"luzhanqi grade course.toml --check", "luzhanqi grade examples/course/course.toml --out marks"},
	"course backup":  {"luzhanqi course backup course.toml autumn.tar.gz"},
	"course restore": {"luzhanqi course restore autumn.tar.gz restored"},
	"course forget":  {"luzhanqi course forget course.toml ada --dry-run"},
	"course prune":   {"luzhanqi course prune course.toml --older-than 180d --dry-run"},
	"new": {
		"luzhanqi new python mybot",
		"luzhanqi new java mybot --game jungle",
	},
	"debug": {
		"luzhanqi debug records --only 57 'python3 bot.py 7'",
		"luzhanqi debug lost.jsonl --from 40",
		"luzhanqi debug jungle ./bot --only 57 --seed 2026 --against builtin:greedy",
	},
	"games": {"luzhanqi games", "luzhanqi games jungle"},
	"join":  {"luzhanqi join http://127.0.0.1:8057/tables/arena -- python3 bot.py", "luzhanqi join https://example.com/tables/arena --games 0 -- ./bot"},
	"player": {
		"luzhanqi player --game jungle --level strong",
		"luzhanqi player --level '?'",
		"luzhanqi player --level medium --listen tcp://127.0.0.1:4000",
	},
	"replay": {
		"luzhanqi replay records/*.jsonl",
		"luzhanqi replay --step game.jsonl",
		"luzhanqi replay --ply 56 --side 2 game.jsonl",
		"luzhanqi replay --html game.html game.jsonl",
	},
	"export": {
		"luzhanqi export records --out games.txt",
		"luzhanqi export plan.toml --out games.csv --times",
	},
	"import": {"luzhanqi import games.txt --records imported"},
	"rate": {
		"luzhanqi rate 60 20 20",
		"luzhanqi rate --from plan.toml --store autumn",
	},
	"beliefs":           {"luzhanqi beliefs game.jsonl --side 1"},
	"moves":             {"luzhanqi moves --game jungle <positions.jsonl"},
	"perft":             {"luzhanqi perft 3 --game gastank"},
	"solve":             {"luzhanqi solve chess1d"},
	"manual install":    {"luzhanqi manual install", "luzhanqi manual install --prefix /usr/local"},
	"manual page":       {"luzhanqi manual page match"},
	"manual completion": {"luzhanqi manual completion bash"},
	"version":           {"luzhanqi version"},
	"serve": {
		"luzhanqi serve",
		"luzhanqi serve --records records --listen 127.0.0.1:8080",
	},
}

// addExamples puts them behind the help of each command.
func addExamples(parser *kong.Kong) {
	var add func(n *kong.Node, path string)
	add = func(n *kong.Node, path string) {
		for _, child := range n.Children {
			name := strings.TrimSpace(path + " " + child.Name)
			if all := examples[name]; len(all) > 0 {
				child.Detail = strings.TrimSpace(child.Detail + "\n\nExamples:\n\n    " + strings.Join(all, "\n    "))
			}
			add(child, name)
		}
	}
	add(parser.Model.Node, "")
}

// askedForHelp makes "help COMMAND", and no command at all, a question for --help.
func askedForHelp(args []string) []string {
	switch {
	case len(args) == 0:
		return []string{"--help"}
	case args[0] == "help":
		return append(append([]string{}, args[1:]...), "--help")
	}
	return args
}

// typed is how this program was called, for commands to be pasted in the same folder. What go run has built is gone when it
// ends.
func typed() string {
	name := os.Args[0]
	if strings.Contains(name, "go-build") {
		return "go run ./cmd/luzhanqi"
	}
	return check.CommandLine(name)
}
