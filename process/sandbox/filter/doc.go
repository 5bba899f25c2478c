// Package filter takes from a thread, for good, what a program that nobody trusts has no use for: its user
// ([BecomeUser]), capabilities ([DropCapabilities]), files and reach (Landlock) and system calls (seccomp: [Install]).
// What is forked from the thread has no more. It needs no namespaces, and knows no policy: package sandbox says what
// is taken from whom.
//
// Calls that are refused can be told by [Serve], as [Refusal]: evidence of what was tried.
package filter
