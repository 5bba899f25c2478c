package text

import (
	"math"
	"strconv"
	"strings"
	"time"
)

// Count writes a number with its noun, which is given in the singular: "1 game", "2 plies", "0 losses".
func Count(n int, noun string) string {
	if n != 1 {
		noun = plural(noun)
	}
	return strconv.Itoa(n) + " " + noun
}

// plural follows the rules of English spelling; there are no irregular nouns here.
func plural(noun string) string {
	for _, ending := range []string{"s", "x", "z", "ch", "sh"} {
		if strings.HasSuffix(noun, ending) {
			return noun + "es"
		}
	}
	stem, y := strings.CutSuffix(noun, "y")
	if y && stem != "" && !strings.ContainsAny(stem[len(stem)-1:], "aeiou") {
		return stem + "ies"
	}
	return noun + "s"
}

// Milliseconds is a duration as records and JSON hold it: to the microsecond.
func Milliseconds(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }

// Duration is what [Milliseconds] was made of.
func Duration(milliseconds float64) time.Duration {
	return time.Duration(math.Round(milliseconds * float64(time.Millisecond)))
}

// Bytes writes a number of bytes exactly, in the largest binary unit that does so: "64 KiB", "1000 bytes".
func Bytes(n int64) string {
	for i, unit := range []string{"GiB", "MiB", "KiB"} {
		if size := int64(1) << (30 - 10*i); n >= size && n%size == 0 {
			return strconv.FormatInt(n/size, 10) + " " + unit
		}
	}
	return Count(int(n), "byte")
}
