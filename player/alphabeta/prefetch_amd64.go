package alphabeta

// prefetch asks the processor for a bucket and does not wait for it, as a read would before long. It
// makes the searches 8 to 20 percent faster, the more the larger their tables are.
//
//go:noescape
func prefetch(b *bucket)
