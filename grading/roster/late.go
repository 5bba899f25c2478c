package roster

import (
	"fmt"
	"math"
	"strings"
	"time"

	"luzhanqi/text"
)

const (
	day     = 24 * time.Hour
	maxDays = 365
)

// Late is the rule for what comes late.
type Late struct {
	Due     time.Time
	Grace   time.Duration // behind it, for nothing
	Free    int           // days of each submission for nothing
	Penalty float64       // percent of what was reached, for each day begun after these
	Days    int           // days after which there are no points; 0: as long as the penalty leaves some
}

// Lateness is what the rule says of a submission.
type Lateness struct {
	Known   bool // when it came
	At      time.Time
	Days    int     // begun after the time that it was due for this one
	Charged int     // of these, not for nothing
	Lost    float64 // share of what was reached
	Refused bool    // it came after all days
}

// Of says how late something came that belongs to these students. Of a group the latest extension and the most free days
// count.
func (l Late) Of(at time.Time, students []Student) Lateness {
	if at.IsZero() {
		return Lateness{}
	}
	due, free := l.Due, l.Free
	own := -1
	for _, s := range students {
		until := l.Due.Add(s.Extension)
		if !s.Until.IsZero() {
			until = s.Until
		}
		if until.After(due) {
			due = until
		}
		own = max(own, s.Free)
	}
	if own >= 0 {
		free = own
	}
	found := Lateness{Known: true, At: at}
	over := at.Sub(due)
	if over <= l.Grace {
		return found
	}
	found.Days = int(math.Ceil(float64(over) / float64(day)))
	found.Charged = max(0, found.Days-free)
	found.Refused = l.Days > 0 && found.Charged > l.Days
	found.Lost = math.Min(1, float64(found.Charged)*l.Penalty/100)
	if found.Refused {
		found.Lost = 1
	}
	return found
}

// String says it in words for the student.
func (f Lateness) String() string {
	if f.Days == 0 {
		return "in time"
	}
	said := text.Count(f.Days, "day") + " late"
	if free := f.Days - f.Charged; free > 0 {
		said += fmt.Sprintf(", of which %d for nothing", free)
	}
	if f.Refused {
		return said + "; nothing is accepted so late"
	}
	return said
}

// Attempt splits NAME@WHEN, where WHEN is a number or a time, as in ada@2 and ada@2026-11-20T2301Z. Order sorts the attempts
// of a name: times by time, after all numbers.
func Attempt(entry string, zone *time.Location) (name, which string, at time.Time, order float64, ok bool) {
	i := strings.LastIndexByte(entry, '@')
	if i <= 0 || i == len(entry)-1 {
		return entry, "", at, 0, false
	}
	name, which = entry[:i], entry[i+1:]
	if number, err := parseNumber(which); err == nil {
		return name, which, at, number, true
	}
	at, err := ParseTime(which, zone)
	if err != nil {
		return entry, "", time.Time{}, 0, false
	}
	return name, which, at, 1e9 + float64(at.Unix()), true
}

func parseNumber(word string) (n float64, err error) {
	if len(word) > 6 {
		return 0, fmt.Errorf("%q is too long", word)
	}
	for _, c := range word {
		if c < '0' || c > '9' {
			return 0, fmt.Errorf("%q is no number", word)
		}
		n = 10*n + float64(c-'0')
	}
	return n, nil
}
