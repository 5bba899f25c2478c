package luzhanqi

// rng is the random source of one playout: eight bytes, a nanosecond a number (splitmix64), and
// made from its seed alone, so that the same playout comes out the same on any worker.
type rng uint64

func (s *rng) next() uint64 {
	*s += 0x9e3779b97f4a7c15
	z := uint64(*s)
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return z ^ z>>31
}

// newRNG mixes the numbers that tell one playout from another.
func newRNG(seed uint64, world, turn int) rng {
	s := rng(seed ^ uint64(world)<<40 ^ uint64(turn)<<8)
	return rng(s.next())
}
