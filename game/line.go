package game

import "bytes"

// NextLine finds the next line in buf that is not blank, for conversations in lines: it begins at or
// after start and ends, with its newline, before end. End is zero if it is not whole yet; at the end of
// everything the newline may be missing. Long says that it has more than most bytes, blanks counted.
func NextLine(buf []byte, eof bool, most int) (start, end int, long bool) {
	for start < len(buf) {
		length := bytes.IndexByte(buf[start:], '\n')
		if length < 0 {
			break
		}
		if len(bytes.TrimSpace(buf[start:start+length])) > 0 {
			if length > most {
				return start, 0, true
			}
			return start, start + length + 1, false
		}
		start += length + 1
	}
	rest := len(buf) - start
	switch {
	case rest > most:
		return start, 0, true
	case eof && len(bytes.TrimSpace(buf[start:])) > 0:
		return start, len(buf), false
	}
	return start, 0, false
}
