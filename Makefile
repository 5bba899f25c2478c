# The checks of every commit: bash .ci/test. Those of every night: make nightly.

.PHONY: test nightly stress killed soak fuzz bench

test:
	bash .ci/test

nightly:
	bash .ci/nightly

# Every hostile program 100 times: no hang, no leak.
stress:
	LUZHANQI_NIGHTLY=1 LUZHANQI_STRESS=100 go test -v -timeout 3h -run Hostile ./protocol-tests

# The referee is killed 100 times beside each hostile program and each attack: nothing is left.
killed:
	bash .ci/nightly killed

# Long games against the clock: a program that answers in time is never punished.
soak:
	LUZHANQI_SOAK=1 go test -v -timeout 1h -run Fairness ./protocol-tests

# Five million inputs for each parser: some hours.
fuzz:
	bash .ci/fuzz 5000000x

bench:
	go test -run '^$$' -bench . ./game/... ./sexpr ./process ./referee
