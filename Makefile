# Targets that take too long for every commit. The tests of every commit: bash .ci/test

.PHONY: test stress soak fuzz bench

test:
	bash .ci/test

# Every hostile program 100 times: no hang, no leak.
stress:
	LUZHANQI_STRESS=100 go test -v -timeout 3h -run Hostile ./protocol-tests

# Long games against the clock: a program that answers in time is never punished.
soak:
	LUZHANQI_SOAK=1 go test -v -timeout 1h -run Fairness ./protocol-tests

# Ten minutes for each parser: some five hours.
fuzz:
	grep -rl --include='*_test.go' '^func Fuzz' . | sort | while read -r file; do \
		for target in $$(sed -n 's/^func \(Fuzz[A-Za-z0-9]*\).*/\1/p' "$$file"); do \
			go test -run '^$$' -fuzz "^$$target\$$" -fuzztime 10m -fuzzminimizetime 20x "./$$(dirname "$$file")" || exit 1; \
		done; \
	done

bench:
	go test -run '^$$' -bench . ./game/... ./sexpr ./process ./referee
