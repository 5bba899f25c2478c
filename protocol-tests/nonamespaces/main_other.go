//go:build !linux

package main

import (
	"fmt"
	"os"
)

func main() {
	fmt.Fprintln(os.Stderr, "nonamespaces: only Linux has namespaces to go without")
	os.Exit(71)
}
