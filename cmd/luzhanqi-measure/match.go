package main

import (
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"strings"
	"time"

	"luzhanqi/game"
	"luzhanqi/game/games"
	"luzhanqi/player"
)

type matchCommand struct {
	Players string `arg:"" help:"GAME:PLAYER,PLAYER. A player is a level, a variant, or of Luzhanqi the file of a style (.json), a search (.search) or a book of set-ups (.txt), and may have a number of positions, as in strong@5000."`

	Games   int           `short:"n" default:"20" help:"Games to play (default ${default})."`
	First   int           `default:"0" help:"Number of the first game; the games before are left out."`
	Nodes   int           `default:"0" help:"Positions a move for players that would use the time; 0: --time counts."`
	Time    time.Duration `default:"100ms" help:"Time for a move (default ${default})."`
	Threads int           `default:"1" help:"Processors that a player may think on (default ${default})."`
	Seed    uint64        `default:"1" help:"Seed of every random choice (default ${default})."`
	openings
	Show    bool `help:"Draw every position."`
	Explain bool `help:"Tell what the players think."`
}

// openings are how games without set-ups begin.
type openings struct {
	Opening int `default:"2" help:"Random moves at the start, in games without set-ups (default ${default})."`
	Fair    int `default:"0" help:"Draw another opening if a search of depth 4 gives either side more than this; 0: never."`
}

// Run implements the command.
func (m *matchCommand) Run(out io.Writer) error {
	name, both, ok := strings.Cut(m.Players, ":")
	a, b, also := strings.Cut(both, ",")
	if !ok || !also {
		return fmt.Errorf("%q: must be GAME:PLAYER,PLAYER", m.Players)
	}
	if m.Games < 1 {
		return fmt.Errorf("--games %d: allowed are whole numbers from 1", m.Games)
	}
	g, err := games.Find(name)
	if err != nil {
		return err
	}
	t := &tally{names: [2]string{a, b}, games: m.Games, endings: map[string]int{}}
	began := time.Now()
	for n := m.First; n < m.First+m.Games; n++ {
		if err := m.play(out, g, n, t); err != nil {
			return fmt.Errorf("game %d: %w", n, err)
		}
	}
	_, err = fmt.Fprintf(out, "%v  %v\n", t, time.Since(began).Round(time.Second))
	return err
}

// play plays one game; the seats of the two players are exchanged in every other one.
func (m *matchCommand) play(out io.Writer, g game.Game, n int, t *tally) error {
	outcome, plies, err := m.playOut(out, g, n, t)
	if err == nil {
		t.add(n, game.Side(n&1), plies, outcome)
	}
	return err
}

func (m *matchCommand) playOut(out io.Writer, g game.Game, n int, t *tally) (game.Outcome, int, error) {
	swapped := n & 1
	var players [2]player.Player
	var random [2]*rand.Rand
	for i, name := range t.names {
		p, err := find(g, name, player.Options{Nodes: m.Nodes, Threads: m.Threads})
		if err != nil {
			return game.Outcome{}, 0, err
		}
		players[i^swapped] = p
		random[i] = rand.New(rand.NewPCG(^m.Seed, uint64(n)<<2|uint64(i)))
	}
	p, err := m.begin(g, players, n)
	if err != nil {
		return game.Outcome{}, 0, err
	}
	limit := g.Limits().MaxPlies
	outcome := game.Drawn("plies")
	for limit == 0 || p.Ply() < limit {
		if o, over := p.Outcome(); over {
			outcome = o
			break
		}
		side := p.Mover()
		i := int(side) ^ swapped
		showTruth(players[side], p)
		start := time.Now()
		move := players[side].Choose(p.View(side), start.Add(m.Time), random[side])
		took := time.Since(start)
		t.slowest[i], t.took[i], t.moves[i] = max(t.slowest[i], took), t.took[i]+took, t.moves[i]+1
		if err := p.Check(move); err != nil {
			return game.Outcome{}, 0, fmt.Errorf("ply %d: %s: %w", p.Ply(), t.names[i], err)
		}
		t.fight(p, i, move)
		p = p.Play(move)
		if m.Show {
			fmt.Fprintf(out, "%d. %s plays %s\n%s\n", p.Ply(), t.names[i], g.FormatMove(move), p.Draw(game.DrawStyle{}))
		}
		if e, ok := players[side].(player.Explainer); ok && m.Explain {
			if why, ok := e.Explain(); ok {
				fmt.Fprintf(out, "%d. %s: %+v\n", p.Ply(), t.names[i], why)
			}
		}
	}
	if o, over := p.Outcome(); over {
		outcome = o
	}
	return outcome, p.Ply(), nil
}

// begin is the initial position: of set-ups that the players propose, the same for both games of a pair, or
// after random moves.
func (m *matchCommand) begin(g game.Game, players [2]player.Player, n int) (game.Position, error) {
	rules, err := game.ParseRules("", g.Options())
	if err != nil {
		return nil, err
	}
	var setUps [2]game.SetUp
	if g.HasSetUp() {
		for side, p := range players {
			setUps[side] = p.SetUp(rand.New(rand.NewPCG(m.Seed, uint64(n/2)<<2|uint64(side))))
		}
		return g.New(rules, setUps)
	}
	r := rand.New(rand.NewPCG(m.Seed, uint64(n/2)))
	for {
		p, err := g.New(rules, setUps)
		if err != nil {
			return nil, err
		}
		over := false
		for range m.Opening {
			moves := p.Moves(nil)
			if p, over = next(p, moves[r.IntN(len(moves))]); over {
				break
			}
		}
		if over {
			continue
		}
		if fair, err := m.fair(g, p); err != nil || fair {
			return p, err
		}
	}
}

func next(p game.Position, m game.Move) (game.Position, bool) {
	p = p.Play(m)
	_, over := p.Outcome()
	return p, over
}

// fair says whether neither side is better by more than --fair. Of random moves some lose by force, such as
// a king's that takes its own queen.
func (m *matchCommand) fair(g game.Game, p game.Position) (bool, error) {
	if m.Fair == 0 {
		return true, nil
	}
	judge, err := find(g, "depth4", player.Options{})
	if err != nil {
		return false, err
	}
	judge.Choose(p.View(p.Mover()), time.Now().Add(time.Hour), rand.New(rand.NewPCG(1, 1)))
	explainer, ok := judge.(player.Explainer)
	if !ok {
		return false, errors.New("--fair: the level depth4 explains nothing")
	}
	e, _ := explainer.Explain()
	return e.Score == nil || max(*e.Score, -*e.Score) <= m.Fair, nil
}
