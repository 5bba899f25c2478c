package game

import (
	"fmt"
	"strconv"
)

// Side is one of the two players of a game. First moves first.
type Side uint8

// The two sides.
const (
	First Side = iota
	Second
)

// Other returns the opponent of s.
func (s Side) Other() Side { return s ^ 1 }

// Number returns 1 or 2, as people and protocols count players.
func (s Side) Number() int { return int(s) + 1 }

// String returns "1" or "2".
func (s Side) String() string { return strconv.Itoa(s.Number()) }

// ParseSide reads "1" or "2".
func ParseSide(text string) (Side, error) {
	switch text {
	case "1":
		return First, nil
	case "2":
		return Second, nil
	}
	return 0, fmt.Errorf("player %q: allowed are 1 and 2", text)
}

func (s Side) MarshalJSON() ([]byte, error) { return []byte(s.String()), nil }

func (s *Side) UnmarshalJSON(data []byte) error {
	side, err := ParseSide(string(data))
	*s = side
	return err
}
