// Inventory says what is linked into released binaries, for packaging/release: beside each binary a bill of materials
// (CycloneDX 1.6), and for all of them together the licences and notices of what they contain, on standard output.
//
// What is in a binary it reads from the binary; where that lies, and under which licence, from the modules that Go has
// downloaded to build it. A module in whose folder it finds no licence that it knows is an error. Nothing it writes
// depends on the time, the folder or the machine.
package main

import (
	"errors"
	"fmt"
	"os"
)

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "inventory:", err)
		os.Exit(1)
	}
}

func run(args []string) error {
	if len(args) < 3 {
		return errors.New("usage: inventory VERSION PACKAGE BINARY..., where PACKAGE is what the binaries were built of")
	}
	version, pkg, binaries := args[0], args[1], args[2:]
	all := map[string]module{}
	var goVersion string
	for _, path := range binaries {
		in, err := contents(path, pkg)
		if err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
		if err := os.WriteFile(bomPath(path), newBOM(version, in), 0o644); err != nil {
			return err
		}
		goVersion = in.goVersion
		for _, m := range in.modules {
			known := all[m.path]
			m.licences = merged(known.licences, m.licences)
			all[m.path] = m
		}
	}
	return writeNotices(os.Stdout, version, goVersion, all)
}
