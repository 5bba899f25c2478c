// Package tasks says how many processes and threads programs may have, so that what looks after them is never refused one: the
// user's own limit, those of the control groups of this process, and the machine's count all of them together.
//
// Only Linux tells; elsewhere each gets the most.
package tasks

// Most is how many a program has at most: far more than runtimes use, far less than what keeps others from starting any.
const Most = 4096

// least is what a program gets where there is room for none: an interpreter starts with that.
const least = 16

// What is left to the referee: for itself, and for each program what looks after it.
const (
	forReferee = 64
	forEach    = 8
)

// Share is how many each of so many programs may have that run at a time, and how many all of them together.
func Share(programs int) (each, all int) {
	all = room(system(), Most*programs+forReferee+forEach*programs) - forReferee - forEach*programs
	each = min(max(all/programs, least), Most)
	return each, max(all, each*programs)
}
