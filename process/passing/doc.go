// Package passing sends open files to another process, over a socket between the two: [Pair] makes that, [Send] and [Receiver] use it. Only Linux is
// served.
package passing
