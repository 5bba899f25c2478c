//go:build !purego

package network

import "golang.org/x/sys/cpu"

var hasAVX2 = cpu.X86.HasAVX2

// add adds the rows of weights that have come to sums, and takes away those that are gone.
func add(s *Sums, weights *[Inputs][Hidden]int8, come, gone []uint16) {
	if !hasAVX2 {
		addScalar(s, weights, come, gone)
		return
	}
	for _, rows := range [2][]uint16{come, gone} {
		for _, row := range rows {
			_ = weights[row] // the processor does not look
		}
	}
	addAVX2(s, weights, come, gone)
}

// dot is what the hidden units say together.
func dot(s *Sums, out *[Hidden]int16) int32 {
	if !hasAVX2 {
		return dotScalar(s, out)
	}
	return dotAVX2(s, out)
}

//go:noescape
func addAVX2(s *Sums, weights *[Inputs][Hidden]int8, come, gone []uint16)

//go:noescape
func dotAVX2(s *Sums, out *[Hidden]int16) int32
