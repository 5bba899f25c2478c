package load

import (
	"bytes"
	"os"
	"strconv"
	"time"
)

// pressure is what the kernel says of threads of this machine that waited for a processor which others had: its pressure stall
// information.
type pressure struct {
	recent float64       // in what part of the last ten seconds one did, from 0 to 1
	total  time.Duration // in which one did, since the machine was started
}

// readPressure reads it. False: it is not kept here.
func readPressure() (pressure, bool) {
	text, err := os.ReadFile("/proc/pressure/cpu")
	if err != nil {
		return pressure{}, false
	}
	return parsePressure(text)
}

// parsePressure reads "some avg10=1.23 avg60=… avg300=… total=4567" of the first line; total is in microseconds.
func parsePressure(text []byte) (p pressure, known bool) {
	line, _, _ := bytes.Cut(text, []byte("\n"))
	fields := map[string]string{}
	for word := range bytes.FieldsSeq(line) {
		name, number, _ := bytes.Cut(word, []byte("="))
		fields[string(name)] = string(number)
	}
	percent, err := strconv.ParseFloat(fields["avg10"], 64)
	total, wrong := strconv.ParseInt(fields["total"], 10, 64)
	if err != nil || wrong != nil || !(percent >= 0) || total < 0 {
		return pressure{}, false
	}
	return pressure{percent / 100, time.Duration(total) * time.Microsecond}, true
}

// running is how many threads of this machine run or wait for a processor now, those of this process included; 0: not known.
func running() int {
	text, err := os.ReadFile("/proc/loadavg")
	if err != nil {
		return 0
	}
	return parseRunning(text)
}

// parseRunning reads the fourth word of "0.20 0.18 0.12 1/80 11206".
func parseRunning(text []byte) int {
	words := bytes.Fields(text)
	if len(words) < 4 {
		return 0
	}
	now, _, _ := bytes.Cut(words[3], []byte("/"))
	n, err := strconv.Atoi(string(now))
	if err != nil || n < 0 {
		return 0
	}
	return n
}
