//go:build !unix

package alphabeta

import "time"

var programBegan = time.Now()

// processorTime is the wall's time where the system is not asked for more.
func processorTime() time.Duration { return time.Since(programBegan) }
