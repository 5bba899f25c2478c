// Small contains one module of others, for the test of a release.
package main

import (
	"fmt"

	"github.com/gofrs/flock"
)

var released string

func main() {
	fmt.Println(released, flock.New("none").Locked())
}
