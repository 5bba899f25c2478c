package game

import "bytes"

// Line returns the line at the start of buf without its end, which may be CR LF, and the number of bytes
// with it: zero when it is not whole. At the end of everything the rest is a line.
func Line(buf []byte, eof bool) (line []byte, n int) {
	end := bytes.IndexByte(buf, '\n')
	switch {
	case end >= 0:
		line, n = buf[:end], end+1
	case eof && len(buf) > 0:
		line, n = buf, len(buf)
	default:
		return nil, 0
	}
	return bytes.TrimSuffix(line, []byte{'\r'}), n
}

// NextLine returns the first line in buf that is not blank, without the blanks around it, and the number
// of bytes up to its end: zero when it is not whole. Long says that it has more than max bytes, blanks
// counted; line is then what there is of it.
func NextLine(buf []byte, eof bool, max int) (line []byte, n int, long bool) {
	for {
		line, size := Line(buf[n:], eof)
		switch trimmed := bytes.TrimSpace(line); {
		case size == 0:
			rest := buf[n:]
			return rest, 0, len(rest) > max
		case len(trimmed) > 0 && len(line) > max:
			return line, 0, true
		case len(trimmed) > 0:
			return trimmed, n + size, false
		}
		n += size
	}
}
