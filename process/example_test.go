//go:build unix

package process_test

import (
	"context"
	"fmt"
	"time"

	"luzhanqi/process"
)

// A conversation with a program that may have 16 files open and use a second of processor time. Its main, or
// TestMain, has called process.Reexec.
func Example() {
	command, err := process.ParseCommand(`sh -c 'read name; echo "hello $name"; ulimit -n'`)
	if err != nil {
		fmt.Println(err)
		return
	}
	command.Confine = process.Confinement{Files: 16, CPU: time.Second}
	program, err := process.Start(command)
	if err != nil {
		fmt.Println(err)
		return
	}
	deadline := time.Now().Add(10 * time.Second)
	if _, err := program.Write([]byte("referee\n"), deadline); err != nil {
		fmt.Println(err)
	}
	for buf := make([]byte, 100); err == nil; { // until io.EOF
		var n int
		n, err = program.Read(buf, deadline)
		fmt.Printf("%s", buf[:n])
	}
	exit, err := program.Stop(time.Second) // all that it has started is gone
	fmt.Println(exit, err)
	// Output:
	// hello referee
	// 16
	// exited with code 0 <nil>
}

// A command that is not talked to is killed when its time is over.
func ExampleRun() {
	build := process.Command{Args: []string{"sh", "-c", "echo compiling; sleep 60"}}
	result := process.Run(context.Background(), build, process.RunLimits{Time: 2 * time.Second})
	fmt.Print(result.Stdout)
	fmt.Println(result.OK(), result.TimedOut)
	// Output:
	// compiling
	// false true
}
