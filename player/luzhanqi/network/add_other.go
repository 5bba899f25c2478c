//go:build !amd64 || purego

package network

// add adds the rows of weights that have come to sums, and takes away those that are gone.
func add(s *Sums, weights *[Inputs][Hidden]int8, come, gone []uint16) {
	addScalar(s, weights, come, gone)
}

// dot is what the hidden units say together.
func dot(s *Sums, out *[Hidden]int16) int32 { return dotScalar(s, out) }
