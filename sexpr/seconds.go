package sexpr

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"
)

// Seconds is a time limit with its digits as they were written: "1", "1.0",
// "0.75". A conversion Seconds(text) is not checked; [ParseSeconds] is.
type Seconds string

// ParseSeconds reads digits, or digits, a point and digits. The grammar's
// blanks around the point are its notation, so "1 . 0" is refused; so are a
// sign, an exponent, "1." and ".5".
func ParseSeconds(text string) (Seconds, error) {
	if !isSeconds(text) {
		return "", fmt.Errorf("seconds: found %s, allowed: digits such as 1 or 1.0", quoted(text))
	}
	return Seconds(text), nil
}

// NewSeconds writes a limit in canonical form, which has at least one decimal
// and no further zeros at its end: "1.0", "0.1", "0.75", "60.0".
func NewSeconds(limit time.Duration) (Seconds, error) {
	if limit < 0 {
		return "", fmt.Errorf("seconds: found the limit %v, allowed: 0 or more", limit)
	}
	nanos := fmt.Sprintf("%09d", limit%time.Second)
	decimals := nanos[:1] + strings.TrimRight(nanos[1:], "0")
	return Seconds(strconv.FormatInt(int64(limit/time.Second), 10) + "." + decimals), nil
}

// Duration is the limit, without going through a float. Decimals after the
// ninth are cut, never rounded up: a limit read here is not longer than the
// one that was sent. Beyond what a time.Duration holds (292 years) it is an
// error.
func (s Seconds) Duration() (time.Duration, error) {
	if _, err := ParseSeconds(string(s)); err != nil {
		return 0, err
	}
	whole, decimals, _ := strings.Cut(string(s), ".")
	seconds, err := strconv.ParseInt(whole, 10, 64)
	nanos, _ := strconv.ParseInt((decimals + "000000000")[:9], 10, 64)
	const longest = math.MaxInt64 / int64(time.Second)
	if err != nil || seconds > longest || seconds == longest && nanos > math.MaxInt64%int64(time.Second) {
		return 0, fmt.Errorf("seconds: found %s, allowed: at most %v",
			quoted(string(s)), time.Duration(math.MaxInt64))
	}
	return time.Duration(seconds)*time.Second + time.Duration(nanos), nil
}

func isSeconds(text string) bool {
	whole, decimals, point := strings.Cut(text, ".")
	return isDigits(whole) && (!point || isDigits(decimals))
}

func isDigits(text string) bool {
	return text != "" && strings.Trim(text, "0123456789") == ""
}
