// Package protocoltests plays the referee against every misbehaviour of the hostile programs, and
// guards what it promises then: the right verdict, in bounded time, on record, with nothing left of
// any program, and the next game unharmed.
//
//	go test ./protocol-tests                        every mode once, and in each kind of conversation
//	LUZHANQI_NIGHTLY=1 go test ./protocol-tests     every mode, phase, seat and conversation
//	LUZHANQI_STRESS=100 go test -timeout 0          every case so many times
//	LUZHANQI_SOAK=1 go test -timeout 0 -run Fairness
//
// The table of verdicts is in verdicts_test.go; how one case is played and checked, in
// trial_test.go. With -parallel 1 leaks are looked for after every case instead of after all.
package protocoltests
