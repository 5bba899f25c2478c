package referee

import (
	"fmt"

	"luzhanqi/game"
)

// adjudicate ends a game whose result is clear, if that was asked for. No clock runs meanwhile.
func (l *loop) adjudicate(pos game.Position) (end *Ending) {
	if l.bench == nil {
		return nil
	}
	defer func() {
		if r := recover(); r != nil {
			end = l.void(ByMachine, fmt.Sprintf("the adjudicating level failed: %v", r))
		}
	}()
	value, known, verdict := l.bench.Ask(pos.View(pos.Mover()), pos.Mover(), pos.Ply())
	if known {
		l.value = &value
	}
	if !verdict.Over {
		return nil
	}
	what := fmt.Sprintf("adjudicated by %v", l.Adjudication)
	if verdict.Draw {
		return &Ending{Code: AdjudicatedDraw, Reason: "draw: " + what}
	}
	return &Ending{Code: AdjudicatedWin, Winner: &verdict.Winner, Reason: fmt.Sprintf("%s won: %s", l.who(verdict.Winner), what)}
}
