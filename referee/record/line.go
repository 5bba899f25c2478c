package record

import (
	"bytes"
	"encoding/json"
	"math"
	"strconv"
)

// appendTo appends the line as encoding/json writes it, without escaping HTML; said, if not nil, stands for its text. What
// occurs in every ply is written by hand: reflection takes a microsecond for each line, as much as all else that a ply costs.
func (l *Line) appendTo(dst []byte, said []byte) []byte {
	if l.Bytes != nil || l.Args != nil || l.Explanation != nil || l.Value != nil || l.Left != nil || l.End != nil || l.RoundTrip != 0 || l.Broken != 0 {
		slow := *l
		if said != nil {
			slow.Text = string(said)
		}
		return appendJSON(dst, slow)
	}
	dst = appendQuoted(append(dst, `{"event":`...), l.Event)
	dst = appendMilliseconds(append(dst, `,"t_ms":`...), l.T)
	if l.Side != 0 {
		dst = strconv.AppendInt(append(dst, `,"side":`...), int64(l.Side), 10)
	}
	if l.Ply != 0 {
		dst = strconv.AppendInt(append(dst, `,"ply":`...), int64(l.Ply), 10)
	}
	if len(said) > 0 {
		dst = appendQuoted(append(dst, `,"text":`...), said)
	} else {
		dst = appendText(dst, `,"text":`, l.Text)
	}
	dst = appendText(dst, `,"heard":`, string(l.Heard))
	dst = appendText(dst, `,"setup":`, l.SetUp)
	dst = appendText(dst, `,"move":`, l.Move)
	if l.Took != 0 {
		dst = appendMilliseconds(append(dst, `,"took_ms":`...), l.Took)
	}
	if l.Starved != 0 {
		dst = appendMilliseconds(append(dst, `,"starved_ms":`...), l.Starved)
	}
	if l.Drawn {
		dst = append(dst, `,"drawn":true`...)
	}
	if l.Opening {
		dst = append(dst, `,"opening":true`...)
	}
	dst = appendText(dst, `,"comment":`, l.Comment)
	dst = appendText(dst, `,"why":`, l.Why)
	return append(dst, '}', '\n')
}

// appendJSON appends any value and a newline.
func appendJSON(dst []byte, value any) []byte {
	var text bytes.Buffer
	encoder := json.NewEncoder(&text)
	encoder.SetEscapeHTML(false) // outcomes are full of < and >
	if err := encoder.Encode(value); err != nil {
		panic(err) // all that a record holds can be written: no maps, functions or infinite numbers
	}
	return append(dst, text.Bytes()...)
}

// appendText appends a member, unless it is empty.
func appendText(dst []byte, member, text string) []byte {
	if text == "" {
		return dst
	}
	return appendQuoted(append(dst, member...), text)
}

// appendQuoted appends a JSON string.
func appendQuoted[Text string | []byte](dst []byte, text Text) []byte {
	from := len(dst)
	dst = append(dst, '"')
	for i := range len(text) {
		switch c := text[i]; {
		case c == '\n':
			dst = append(dst, '\\', 'n')
		case c == '"' || c == '\\':
			dst = append(dst, '\\', c)
		case ' ' <= c && c < 0x7f:
			dst = append(dst, c)
		default:
			dst = appendJSON(dst[:from], string(text))
			return dst[:len(dst)-1]
		}
	}
	return append(dst, '"')
}

// appendMilliseconds appends a number that text.Milliseconds has made: whole microseconds.
func appendMilliseconds(dst []byte, ms float64) []byte {
	us := math.Round(ms * 1000)
	if !(0 <= us && us < 1e15) || us/1000 != ms {
		dst = appendJSON(dst, ms)
		return dst[:len(dst)-1]
	}
	whole, rest := int64(us)/1000, int64(us)%1000
	dst = strconv.AppendInt(dst, whole, 10)
	if rest == 0 {
		return dst
	}
	dst = append(dst, '.', byte('0'+rest/100), byte('0'+rest/10%10), byte('0'+rest%10))
	return bytes.TrimRight(dst, "0")
}
