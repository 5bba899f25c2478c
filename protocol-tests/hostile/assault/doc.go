// Package assault is what a hostile program does to the referee, its opponent and the machine that harms them where it
// succeeds, or that only a game shows: signals, writes in others' names, families of processes that do not end. It harms
// only what is the test's, and starts 300 processes at most. All else that it tries is of package attack, which the command
// itself tries by check --attacks.
//
// Entry points: [Run] tries attacks by name, of both packages; [Table] has those of this one.
package assault
