package attack

import (
	"fmt"
	"io"
	"text/tabwriter"

	"luzhanqi/process/sandbox"
)

// WriteText prints a table for people, and below it what is open, and why.
func (r Report) WriteText(to io.Writer) error {
	fmt.Fprintf(to, "isolation: %v\nuser: %d\n\n", r.Isolation, r.User)
	t := tabwriter.NewWriter(to, 0, 0, 2, ' ', 0)
	fmt.Fprint(t, "attack\t")
	var shown []Column
	for _, c := range r.Columns {
		if c.Unavailable == "" {
			shown = append(shown, c)
			fmt.Fprintf(t, "%s\t", c.Profile)
		}
	}
	fmt.Fprintln(t, "who succeeds gets")
	if len(shown) > 0 {
		for i, cell := range shown[0].Cells {
			fmt.Fprintf(t, "%s\t", cell.Attack)
			for _, c := range shown {
				fmt.Fprintf(t, "%s\t", c.Cells[i].word())
			}
			fmt.Fprintln(t, cell.Gets)
		}
	}
	if err := t.Flush(); err != nil {
		return err
	}
	for _, c := range r.Columns {
		if c.Unavailable != "" {
			fmt.Fprintf(to, "\n%s: %s\n", c.Profile, c.Unavailable)
			continue
		}
		c.explain(to)
	}
	_, err := fmt.Fprintln(to, "\nOPEN was promised to be stopped; open was not.")
	return err
}

func (c Cell) word() string {
	switch {
	case c.Failed():
		return "OPEN"
	case c.Outcome == Untried:
		return "–"
	}
	return string(c.Outcome)
}

// explain says of one profile what is open or was not tried.
func (c Column) explain(to io.Writer) {
	fmt.Fprintf(to, "\n%s:", c.Profile)
	if c.Profile == sandbox.Off {
		fmt.Fprint(to, " nothing is promised but limits, and that nothing outlives a game.")
	}
	if c.Reported > 0 {
		fmt.Fprintf(to, " the referee was told of %d refused system calls.", c.Reported)
	}
	fmt.Fprintln(to)
	for _, cell := range c.Cells {
		switch {
		case cell.Outcome == Untried:
			fmt.Fprintf(to, "  – %s: %s\n", cell.Attack, cell.Why)
		case cell.Failed():
			fmt.Fprintf(to, "  OPEN %s: %s\n", cell.Attack, cell.Why)
		case cell.Outcome == Open && c.Profile != sandbox.Off:
			fmt.Fprintf(to, "  open %s: %s; %s\n", cell.Attack, cell.Because, cell.Why)
		}
	}
}
