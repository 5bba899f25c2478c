package starvation

import (
	"bytes"
	"os"
	"strconv"
)

// Pressure is in what part of the last ten seconds, from 0 to 1, some thread of this machine waited for a processor that
// others had: the kernel's pressure stall information. False: it is not kept here.
func Pressure() (part float64, known bool) {
	text, err := os.ReadFile("/proc/pressure/cpu")
	if err != nil {
		return 0, false
	}
	return parsePressure(text)
}

// parsePressure reads "some avg10=1.23 avg60=… …" of the first line.
func parsePressure(text []byte) (part float64, known bool) {
	for word := range bytes.FieldsSeq(text) {
		if number, ok := bytes.CutPrefix(word, []byte("avg10=")); ok {
			percent, err := strconv.ParseFloat(string(number), 64)
			return percent / 100, err == nil && percent >= 0
		}
	}
	return 0, false
}
