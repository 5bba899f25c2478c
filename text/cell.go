package text

import "strings"

// Cell is a text as a cell of a table that a spreadsheet may open: what it would take for a formula, also behind
// blanks, begins with an apostrophe.
func Cell(s string) string {
	first := strings.TrimLeft(s, " \t\r\n")
	if first != "" && strings.ContainsRune("=+-@", rune(first[0])) || strings.HasPrefix(s, "\t") || strings.HasPrefix(s, "\r") {
		return "'" + s
	}
	return s
}
