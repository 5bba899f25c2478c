package console

// maxEscape bounds one escape code; longer text is not taken for one.
const maxEscape = 512

// cleaned is terminal output without escape codes: text, and for each of its bytes, and for its end,
// the offset in the raw output.
type cleaned struct {
	text []byte
	at   []int
}

// clean removes what moves cursors and changes colours, so that patterns see plain text. A backspace
// takes back the character before it on its line; other control characters go, but for blanks; \r\n
// and a lone \r, which begins its line again, become newlines. An escape code that is not complete
// ends the text. The text is never longer than raw.
func clean(raw []byte) cleaned {
	c := cleaned{text: make([]byte, 0, len(raw)), at: make([]int, 0, len(raw)+1)}
	for i := 0; i < len(raw); i++ {
		b := raw[i]
		switch {
		case b == 0x1b:
			n := escape(raw[i:])
			if n == 0 {
				c.at = append(c.at, i)
				return c
			}
			i += n - 1
			continue
		case b == '\b':
			if last := len(c.text) - 1; last >= 0 && c.text[last] != '\n' {
				c.text, c.at = c.text[:last], c.at[:last]
			}
			continue
		case b == '\r':
			if i+1 < len(raw) && (raw[i+1] == '\n' || raw[i+1] == '\r') {
				continue
			}
			b = '\n'
		case b < ' ' && b != '\t' && b != '\n' || b == 0x7f:
			continue
		}
		c.text, c.at = append(c.text, b), append(c.at, i)
	}
	c.at = append(c.at, len(raw))
	return c
}

// escape measures the escape code at the start of raw; zero: it is not complete.
func escape(raw []byte) int {
	if len(raw) < 2 {
		return 0
	}
	switch raw[1] {
	case '[': // control sequence: parameters, then a letter
		for i, b := range raw[2:min(len(raw), maxEscape)] {
			if b >= 0x40 && b <= 0x7e {
				return i + 3
			}
			if b < ' ' || b > 0x7e {
				return i + 2 // broken off; b is text
			}
		}
	case ']', 'P', 'X', '^', '_': // a string, such as a window's title: ends with BEL or ESC \
		for i, b := range raw[2:min(len(raw), maxEscape)] {
			if b == 7 {
				return i + 3
			}
			if b == 0x1b && i+3 < len(raw) {
				if raw[i+3] == '\\' {
					return i + 4
				}
				return i + 2
			}
		}
	default: // intermediates, such as ( before a character set, then a letter
		for i, b := range raw[1:min(len(raw), maxEscape)] {
			if b < 0x20 || b > 0x2f {
				return i + 2
			}
		}
	}
	if len(raw) >= maxEscape {
		return 1
	}
	return 0
}
