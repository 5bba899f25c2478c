# The checks of every commit: bash .ci/test. Those of every night: make nightly.

.PHONY: test types nightly stress killed fleet soak fuzz bench release

test:
	bash .ci/test

# The types of the scripts of pages: npm installs the compiler in tools/pages.
types:
	bash .ci/pages

nightly:
	bash .ci/nightly

# Every hostile program 100 times: no hang, no leak.
stress:
	LUZHANQI_NIGHTLY=1 LUZHANQI_STRESS=100 go test -v -timeout 3h -run Hostile ./protocol-tests

# The referee is killed 100 times beside each hostile program and each attack: nothing is left.
killed:
	bash .ci/nightly killed

# A hundred workers, killed all the time, play instant games over three queue servers; docs/fleet.md has what it costs.
# With STORE=FOLDER the results stay, and a later run with more GAMES goes on from them.
GAMES = 20000
STORE =
fleet:
	LUZHANQI_FLEET=$(GAMES) LUZHANQI_FLEET_STORE=$(abspath $(STORE)) go test -count=1 -v -timeout 24h -run Fleet ./tournament

# Long games against the clock: a program that answers in time is never punished.
soak:
	LUZHANQI_SOAK=1 go test -v -timeout 1h -run Fairness ./protocol-tests

# Five million inputs for each parser: some hours.
fuzz:
	bash .ci/fuzz 5000000x

bench:
	go test -run '^$$' -bench . ./game/... ./sexpr ./process ./referee

# Binaries for all systems, their SBOMs, licences and checksums, into release/: docs/install.md.
release:
	bash packaging/release release
