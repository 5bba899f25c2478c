package process

import "runtime"

// allCores numbers the processors where the system does not say which are ours.
func allCores() []int {
	cores := make([]int, runtime.NumCPU())
	for i := range cores {
		cores[i] = i
	}
	return cores
}
