// Package manual makes of the model of the command line, the one that --help prints, man pages and what shells complete.
// [Pages] are the pages, [Candidates] what can stand for a word, [Script] asks for that in one shell, [Install] puts all of
// it where a user's shells and man look.
package manual

import (
	"fmt"
	"slices"
	"strings"

	"github.com/alecthomas/kong"
)

// Candidate is a word that can stand where the cursor is.
type Candidate struct{ Word, Help string }

// Values names what a flag (or, without dashes, a positional argument) of a command may be; before are the words that were
// typed. nil: the shell's file names.
type Values func(command, name string, before []string) []string

// Candidates are what may replace the last of the words, which follow the program's name; none: file names.
func Candidates(model *kong.Node, words []string, values Values) []Candidate {
	if len(words) == 0 {
		words = []string{""}
	}
	before, current := words[:len(words)-1], words[len(words)-1]
	node, arguments := model, 0
	var open *kong.Flag // its value comes next
	for _, word := range before {
		switch child := childOf(node, word); {
		case open != nil:
			open = nil
		case strings.HasPrefix(word, "-"):
			open = flagOf(node, word)
		case child != nil:
			node = child
		default:
			arguments++
		}
	}
	path := node.Path()
	var all []Candidate
	name, _, is := strings.Cut(current, "=")
	switch {
	case open != nil:
		all = candidates("", valuesOf(open.Value, path, before, values))
	case is && strings.HasPrefix(name, "--"):
		for _, flag := range flagsOf(node) {
			if "--"+flag.Name == name {
				all = candidates(name+"=", valuesOf(flag.Value, path, before, values))
			}
		}
	case strings.HasPrefix(current, "-"):
		for _, flag := range flagsOf(node) {
			all = append(all, Candidate{"--" + flag.Name, oneLine(flag.Help)})
		}
	case slices.ContainsFunc(node.Children, func(n *kong.Node) bool { return !n.Hidden }):
		for _, child := range node.Children {
			if !child.Hidden {
				all = append(all, Candidate{child.Name, oneLine(child.Help)})
			}
		}
		if node == model {
			all = append(all, Candidate{"help", "Show the help of a command."})
		}
	case len(node.Positional) > 0:
		all = candidates("", valuesOf(node.Positional[min(arguments, len(node.Positional)-1)], path, before, values))
	}
	return slices.DeleteFunc(all, func(c Candidate) bool { return !strings.HasPrefix(c.Word, current) })
}

func candidates(prefix string, words []string) (all []Candidate) {
	for _, word := range words {
		all = append(all, Candidate{Word: prefix + word})
	}
	return all
}

func valuesOf(v *kong.Value, command string, before []string, values Values) []string {
	if v.Enum != "" {
		return v.EnumSlice()
	}
	name := v.Name
	if v.Flag != nil {
		name = "--" + name
	}
	return values(command, name, before)
}

func childOf(n *kong.Node, word string) *kong.Node {
	for _, child := range n.Children {
		if child.Name == word {
			return child
		}
	}
	return nil
}

// flagOf is the flag of a word if its value is to follow; nil otherwise.
func flagOf(n *kong.Node, word string) *kong.Flag {
	for _, flag := range flagsOf(n) {
		if (word == "--"+flag.Name || flag.Short != 0 && word == "-"+string(flag.Short)) && !flag.IsBool() && !flag.IsCounter() {
			return flag
		}
	}
	return nil
}

// flagsOf are a command's flags and those of the commands above it.
func flagsOf(n *kong.Node) (all []*kong.Flag) {
	for _, group := range n.AllFlags(true) {
		all = append(all, group...)
	}
	return all
}

func oneLine(help string) string { return strings.Join(strings.Fields(help), " ") }

// Shells are those whose completion there is.
var Shells = []string{"bash", "zsh", "fish"}

// Script is what a shell reads to complete the program's words: it asks the program itself, so that it never is out of date.
func Script(shell string) (string, error) {
	script, ok := map[string]string{"bash": bash, "zsh": zsh, "fish": fish}[shell]
	if !ok {
		return "", fmt.Errorf("shell %q: allowed are %s", shell, strings.Join(Shells, ", "))
	}
	return script, nil
}

// In bash, : and = end a word, so that what is before them must not be repeated; file names where the program knows nothing.
const bash = `# bash completion of luzhanqi, written by: luzhanqi manual completion bash
_luzhanqi() {
	local line IFS=$'\n'
	COMPREPLY=()
	while read -r line; do COMPREPLY+=("$line"); done < <("${COMP_WORDS[0]}" manual candidates --bash-line="${COMP_LINE:0:COMP_POINT}" 2>/dev/null)
	[[ ${#COMPREPLY[@]} -eq 1 && ${COMPREPLY[0]} == *= ]] && compopt -o nospace
}
complete -o default -F _luzhanqi luzhanqi
`

const zsh = `#compdef luzhanqi
# zsh completion of luzhanqi, written by: luzhanqi manual completion zsh
_luzhanqi() {
	local -a found described
	local line
	found=("${(@f)$("${words[1]}" manual candidates -- "${(@)words[2,CURRENT]}" 2>/dev/null)}")
	for line in $found; do
		[[ -n $line ]] && described+=("${${line%%$'\t'*}//:/\\:}:${line#*$'\t'}")
	done
	if (( $#described )); then _describe luzhanqi described; else _files; fi
}
if [[ $funcstack[1] == _luzhanqi ]]; then _luzhanqi "$@"; elif (( $+functions[compdef] )); then compdef _luzhanqi luzhanqi; fi
`

const fish = `# fish completion of luzhanqi, written by: luzhanqi manual completion fish
function __luzhanqi_candidates
	set -l before (commandline -opc)
	set -l found ($before[1] manual candidates -- $before[2..-1] (commandline -ct) 2>/dev/null)
	if test (count $found) -gt 0
		printf '%s\n' $found
	else
		__fish_complete_path (commandline -ct)
	end
end
complete -c luzhanqi -f -a '(__luzhanqi_candidates)'
`

// Words are those of a bash line, after the program's name; the last may be empty. What bash takes for a word of its own
// begins after the last : or = of the last word: kept is what stands before.
func Words(line string) (words []string, kept string) {
	var word strings.Builder
	quote := rune(0)
	begun := false
	for _, r := range line {
		switch {
		case quote != 0:
			if r == quote {
				quote = 0
			} else {
				word.WriteRune(r)
			}
		case r == '\'' || r == '"':
			quote, begun = r, true
		case r == ' ' || r == '\t':
			if begun {
				words = append(words, word.String())
				word.Reset()
				begun = false
			}
		default:
			begun = true
			word.WriteRune(r)
		}
	}
	words = append(words, word.String())
	if len(words) > 1 {
		words = words[1:]
	} else {
		words = []string{""}
	}
	last := words[len(words)-1]
	return words, last[:strings.LastIndexAny(last, ":=")+1]
}
