package filter

import "time"

// Refusal is a system call that a program made and was refused. It is evidence of what was tried; calls that
// language runtimes make to see what the system offers are none.
type Refusal struct {
	Call   string    `json:"call"`             // the system call's name
	Detail string    `json:"detail,omitempty"` // what it was to do, in words; one printable line
	Count  int       `json:"count"`            // how often
	At     time.Time `json:"at"`               // the first time
}

// FurtherCalls stands for all kinds of calls beyond a bound.
const FurtherCalls = "other calls"
