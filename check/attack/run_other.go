//go:build !linux

package attack

import (
	"context"
	"fmt"
	"os"
	"runtime"

	"luzhanqi/process"
)

// Attacker is the role as which a binary attacks itself.
var Attacker = process.Role{Name: "luzhanqi-attacker", Run: func([]string) int {
	fmt.Fprintln(os.Stderr, ErrNothing)
	return 2
}}

// Run has nothing to try.
func Run(context.Context, Options) (Report, error) {
	return Report{}, fmt.Errorf("%w on %s: programs have all powers of the user who starts the referee", ErrNothing, runtime.GOOS)
}
