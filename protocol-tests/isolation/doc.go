// Package isolation attacks the referee, the opponent, the grader and the machine by hostile programs, and guards that
// they gain nothing: what they report, the innocent's game, the referee's end, and what is left 3 s later. It is the
// proof for the list of threats, on Linux.
//
//	go test ./protocol-tests/isolation                       every attack once, as root and as an ordinary user
//	LUZHANQI_NIGHTLY=1 go test ./protocol-tests/isolation    against a program and against a built-in player; every
//	                                                         hostile mode when the referee is killed
//	LUZHANQI_STRESS=100 …                                    each of these kills so many times
//
// The attacks that harm nobody are those of check/attack, whose tests say that they succeed where nothing confines them; those
// that do, or that need a game, are in protocol-tests/hostile/assault.
// They are tried on two machines: on this one, and on one without namespaces, made by protocol-tests/nonamespaces. What
// succeeds there is listed with its reason in isolation_linux_test.go.
package isolation
