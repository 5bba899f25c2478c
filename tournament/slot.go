package tournament

import (
	"fmt"

	"luzhanqi/process"
)

// Slot is the processors that the programs at seats 1 and 2 of one game at a time run on; nil: any.
type Slot [2][]int

// Slots divides processors between so many games at a time: one for each player if there are enough,
// else one for each game, whose players take turns anyway. If there are fewer than games, force is
// refused, and otherwise nobody is bound to a processor.
func Slots(cores []int, concurrency int, force bool) ([]Slot, error) {
	slots := make([]Slot, concurrency)
	switch {
	case len(cores) >= 2*concurrency:
		for i := range slots {
			slots[i] = Slot{cores[2*i : 2*i+1], cores[2*i+1 : 2*i+2]}
		}
	case len(cores) >= concurrency:
		for i := range slots {
			slots[i] = Slot{cores[i : i+1], cores[i : i+1]}
		}
	case force:
		return nil, fmt.Errorf("pin: %d games at a time on %d processors: allowed are up to as many games as processors", concurrency, len(cores))
	}
	return slots, nil
}

// slotsFor is Slots for this machine; pin is auto, on or off.
func slotsFor(pin string, concurrency int) ([]Slot, error) {
	switch pin {
	case "off":
		return make([]Slot, concurrency), nil
	case "auto", "on":
		return Slots(process.Cores(), concurrency, pin == "on")
	}
	return nil, fmt.Errorf("pin %q: allowed are auto, on, off", pin)
}
