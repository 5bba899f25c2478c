package sandbox

import "luzhanqi/process/sandbox/filter"

// Refusal is a system call that a program made and was refused.
type Refusal = filter.Refusal
