package strict

import (
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"
)

// Duration takes out a duration written as Go does, such as "100ms" or "1m30s".
func (t *Table) Duration(key string, otherwise, low, high time.Duration) time.Duration {
	const allowed = `a duration such as "100ms", "2s" or "1m30s"`
	v, ok := t.take(key)
	if !ok {
		return otherwise
	}
	text, ok := v.(string)
	if !ok {
		t.Errorf(key, "found %s; allowed is %s", show(v), allowed)
		return otherwise
	}
	d, err := time.ParseDuration(text)
	switch {
	case err != nil:
		t.Errorf(key, "found %q; allowed is %s", short(text), allowed)
	case d < low || d > high:
		t.Errorf(key, "found %v; allowed are %v to %v", d, low, high)
	default:
		return d
	}
	return otherwise
}

// Size takes out a number of bytes, such as "64MiB", or 0.
func (t *Table) Size(key string, otherwise, low, high int64) int64 {
	v, ok := t.take(key)
	if !ok {
		return otherwise
	}
	if n, whole := v.(int64); whole {
		v = strconv.FormatInt(n, 10)
	}
	text, ok := v.(string)
	if !ok {
		t.Errorf(key, "found %s; allowed is %v", show(v), errSize)
		return otherwise
	}
	n, err := ParseSize(text)
	switch {
	case err != nil:
		t.Error(key, err)
	case n != 0 && (n < low || n > high):
		t.Errorf(key, "found %s; allowed are 0 for no limit and %s to %s", FormatSize(n), FormatSize(low), FormatSize(high))
	default:
		return n
	}
	return otherwise
}

var errSize = errors.New(`a number of bytes with a unit, such as "64MiB": B, KiB, MiB, GiB or TiB of 1024, kB, MB, GB or TB of 1000; or 0`)

// units of sizes; the larger of two endings comes first.
var units = []struct {
	name  string
	bytes int64
}{
	{"KiB", 1 << 10},
	{"MiB", 1 << 20},
	{"GiB", 1 << 30},
	{"TiB", 1 << 40},
	{"kB", 1e3},
	{"MB", 1e6},
	{"GB", 1e9},
	{"TB", 1e12},
	{"B", 1},
}

// ParseSize reads a whole number of bytes, such as "64MiB" or "64 MiB". A number without a unit must be 0,
// since one man's 512 is another's megabytes.
func ParseSize(text string) (int64, error) {
	if text == "0" {
		return 0, nil
	}
	for _, unit := range units {
		digits, ok := strings.CutSuffix(text, unit.name)
		if !ok {
			continue
		}
		n, err := strconv.ParseUint(strings.TrimRight(digits, " "), 10, 63)
		if err != nil || n > uint64(math.MaxInt64/unit.bytes) {
			break
		}
		return int64(n) * unit.bytes, nil
	}
	return 0, fmt.Errorf("found %q; allowed is %w", short(text), errSize)
}

// FormatSize writes a size as ParseSize reads it, in the greatest unit of 1024 that divides it.
func FormatSize(n int64) string {
	if n == 0 {
		return "0"
	}
	unit := units[len(units)-1]
	for _, u := range units[:4] {
		if n%u.bytes == 0 {
			unit = u
		}
	}
	return strconv.FormatInt(n/unit.bytes, 10) + unit.name
}
