package process

import "golang.org/x/sys/windows"

// splitWords follows the rules of Windows, where a backslash separates folders.
func splitWords(line string) ([]string, error) { return windows.DecomposeCommandLine(line) }
