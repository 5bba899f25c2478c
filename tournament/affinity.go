package tournament

import (
	"fmt"

	"luzhanqi/process"
	"luzhanqi/tournament/plan"
)

// Affinity holds the processors for the programs at seats 1 and 2 of one game at a time; nil: any.
type Affinity [2][]int

// affinities divides processors between so many games at a time: one for each player if there are enough,
// else one for each game, whose players take turns anyway. If there are fewer than games, force is
// refused, and otherwise nobody is bound to a processor.
func affinities(cores []int, concurrency int, force bool) ([]Affinity, error) {
	all := make([]Affinity, concurrency)
	switch {
	case len(cores) >= 2*concurrency:
		for i := range all {
			all[i] = Affinity{cores[2*i : 2*i+1], cores[2*i+1 : 2*i+2]}
		}
	case len(cores) >= concurrency:
		for i := range all {
			all[i] = Affinity{cores[i : i+1], cores[i : i+1]}
		}
	case force:
		return nil, fmt.Errorf("pin: %d games at a time on %d processors: allowed are up to as many games as processors", concurrency, len(cores))
	}
	return all, nil
}

// affinitiesFor divides the processors of this machine.
func affinitiesFor(pin plan.Pin, concurrency int) ([]Affinity, error) {
	switch pin {
	case plan.PinOff:
		return make([]Affinity, concurrency), nil
	case plan.PinAuto, plan.PinOn:
		return affinities(process.Cores(), concurrency, pin == plan.PinOn)
	}
	return nil, fmt.Errorf("pin %q: allowed are auto, on, off", pin)
}
