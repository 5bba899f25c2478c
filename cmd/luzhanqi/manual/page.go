package manual

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/alecthomas/kong"
)

// Pages are the man pages, by their names without .1: luzhanqi, and one for each command, such as luzhanqi-tournament-run.
func Pages(model *kong.Node, version string) map[string]string {
	pages := map[string]string{}
	var add func(n *kong.Node)
	add = func(n *kong.Node) {
		if n.Hidden {
			return
		}
		pages[pageName(n)] = page(n, version)
		for _, child := range n.Children {
			add(child)
		}
	}
	add(model)
	return pages
}

func pageName(n *kong.Node) string { return strings.ReplaceAll(n.FullPath(), " ", "-") }

// page is one command's, in the roff of man(7).
func page(n *kong.Node, version string) string {
	var s strings.Builder
	title := pageName(n)
	fmt.Fprintf(&s, ".TH %s 1 \"\" %s \"User Commands\"\n", strings.ToUpper(title), quoted("luzhanqi "+version))
	help, _, _ := strings.Cut(n.Help, "\n")
	fmt.Fprintf(&s, ".SH NAME\n%s \\- %s\n", roff(title), roff(strings.TrimSuffix(help, ".")))
	fmt.Fprintf(&s, ".SH SYNOPSIS\n.B %s\n%s\n", roff(n.FullPath()), roff(strings.TrimSpace(strings.TrimPrefix(n.Summary(), n.Path()))))
	detail, examples, _ := strings.Cut(n.Detail, "Examples:\n")
	fmt.Fprintf(&s, ".SH DESCRIPTION\n%s\n", roff(oneLine(n.Help)))
	for paragraph := range strings.SplitSeq(detail, "\n\n") {
		if text := oneLine(paragraph); text != "" {
			fmt.Fprintf(&s, ".PP\n%s\n", roff(text))
		}
	}
	if len(n.Positional) > 0 {
		s.WriteString(".SH ARGUMENTS\n")
		for _, p := range n.Positional {
			fmt.Fprintf(&s, ".TP\n.I %s\n%s\n", roff(p.Summary()), roff(oneLine(p.Help)))
		}
	}
	options(&s, n)
	var commands []*kong.Node
	for _, child := range n.Children {
		if !child.Hidden {
			commands = append(commands, child)
		}
	}
	if len(commands) > 0 {
		s.WriteString(".SH COMMANDS\n")
		for _, child := range commands {
			fmt.Fprintf(&s, ".TP\n.BR %s (1)\n%s\n", roff(pageName(child)), roff(oneLine(child.Help)))
		}
	}
	if examples = strings.Trim(examples, "\n"); examples != "" {
		s.WriteString(".SH EXAMPLES\n.nf\n")
		for line := range strings.SplitSeq(examples, "\n") {
			fmt.Fprintf(&s, "%s\n", roff(strings.TrimSpace(line)))
		}
		s.WriteString(".fi\n")
	}
	if n.Parent != nil {
		fmt.Fprintf(&s, ".SH SEE ALSO\n.BR %s (1)\n", roff(pageName(n.Parent)))
	}
	return s.String()
}

// options are a command's own flags; those of all commands are on the page of the program.
func options(s *strings.Builder, n *kong.Node) {
	var lines strings.Builder
	for _, flag := range n.Flags {
		if flag.Hidden {
			continue
		}
		name := "\\fB" + roff("--"+flag.Name) + "\\fR"
		if flag.Short != 0 {
			name = "\\fB" + roff("-"+string(flag.Short)) + "\\fR, " + name
		}
		if !flag.IsBool() && !flag.IsCounter() {
			name += "=\\fI" + roff(strings.Trim(flag.FormatPlaceHolder(), `"`)) + "\\fR"
		}
		fmt.Fprintf(&lines, ".TP\n%s\n%s\n", name, roff(oneLine(flag.Help)))
	}
	if lines.Len() > 0 {
		s.WriteString(".SH OPTIONS\n" + lines.String())
	}
}

// roff makes text of what would be a command, an escape or a hyphen to it.
func roff(text string) string {
	text = strings.NewReplacer("…", "...", `\`, `\e`, "-", `\-`, "'", `\(aq`, "`", `\(ga`).Replace(text)
	if strings.HasPrefix(text, ".") {
		text = `\&` + text
	}
	return text
}

func quoted(text string) string { return `"` + strings.ReplaceAll(roff(text), `"`, `\(dq`) + `"` }

// Folders are where completions and pages go below a prefix such as /usr/local, or ~/.local for one user.
func folders(prefix string) map[string]string {
	share := filepath.Join(prefix, "share")
	return map[string]string{
		"bash": filepath.Join(share, "bash-completion", "completions", "luzhanqi"),
		"zsh":  filepath.Join(share, "zsh", "site-functions", "_luzhanqi"),
		"fish": filepath.Join(share, "fish", "vendor_completions.d", "luzhanqi.fish"),
	}
}

// Install writes all pages and completions below a prefix, and returns the files, in order.
func Install(model *kong.Node, version, prefix string) (files []string, err error) {
	write := func(file, content string) error {
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			return err
		}
		files = append(files, file)
		return os.WriteFile(file, []byte(content), 0o644)
	}
	for _, shell := range Shells {
		script, err := Script(shell)
		if err != nil {
			return files, err
		}
		if err := write(folders(prefix)[shell], script); err != nil {
			return files, err
		}
	}
	for name, page := range Pages(model, version) {
		if err := write(filepath.Join(prefix, "share", "man", "man1", name+".1"), page); err != nil {
			return files, err
		}
	}
	return files, nil
}
