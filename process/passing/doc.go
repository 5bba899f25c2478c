// Package passing sends open files to another process, over a socket between the two: [Send] and [Receiver]. Only Linux is
// served.
package passing
