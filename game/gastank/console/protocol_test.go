package console

import (
	"errors"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"luzhanqi/game"
	"luzhanqi/game/gastank"
)

// wire is a conversation in memory between the referee and our player at the terminal.
type wire struct {
	referee game.ConsoleEnd
	player  game.PlayerEnd
	keys    []byte // typed, not yet read by the player
	screen  []byte
	said    []byte // by the player with its last move
}

// speak lets the player say all it has to say, and returns the prompt at which it stops.
func (w *wire) speak(t *testing.T, eof bool) game.Prompt {
	t.Helper()
	for {
		n, prompt, err := w.player.Scan(w.keys, eof)
		if err != nil {
			t.Fatal(err)
		}
		w.keys = w.keys[n:]
		switch {
		case prompt == game.PromptSetUp:
			w.screen = append(w.screen, w.player.Say(game.Answer{Kind: game.AnswerSetUp})...)
		case prompt != game.PromptNone || n == 0:
			return prompt
		}
	}
}

// TestConsoleGames plays random games between two players at the terminal, relayed by the referee with
// the default adapter: every move must arrive in both.
func TestConsoleGames(t *testing.T) {
	for seed := range uint64(60) {
		r := rand.New(rand.NewPCG(seed, 0))
		var wires [2]*wire
		for side := range wires {
			p := Protocol{}
			wires[side] = &wire{referee: p.RefereeEnd(game.Side(side), game.Limits{}).(game.ConsoleEnd), player: p.PlayerEnd(nil, 0, 0)}
			wires[side].speak(t, false)
		}
		pos := game.Position(gastank.NewPosition())
		for {
			if _, over := pos.Outcome(); over {
				break
			}
			mover := pos.Mover()
			for side, w := range wires {
				w.referee.Tell(game.Event{Kind: game.EventTurn, Side: mover}, pos.View(game.Side(side)))
			}
			w, asked := wires[mover], false
			var m game.Move
			for steps := 0; ; steps++ {
				n, typed, a, found, err := w.referee.Silent(w.screen, false)
				if err != nil || steps > 10 {
					t.Fatalf("seed %d, ply %d: %v after %q", seed, pos.Ply(), err, w.screen)
				}
				w.screen = w.screen[n:]
				if found {
					if a.Move != m || a.Comment != "" || !asked {
						t.Fatalf("seed %d: %s was read as %s, %s", seed, gastank.MoveName(m), gastank.MoveName(a.Move), a.Comment)
					}
					break
				}
				w.keys = append(w.keys, typed...)
				if w.speak(t, false) == game.PromptMove {
					if w.player.View() != pos.View(mover) {
						t.Fatalf("seed %d: the player sees another game", seed)
					}
					moves := pos.Moves(nil)
					m, asked = moves[r.IntN(len(moves))], true
					w.said = w.player.Say(game.Answer{Kind: game.AnswerMove, Move: m})
					w.screen = append(w.screen, w.said...)
				}
			}
			pos = pos.Play(m)
			for side, w := range wires {
				w.referee.Tell(game.Event{Kind: game.EventMoved, Side: mover, Move: m}, pos.View(game.Side(side)))
			}
		}
		outcome, _ := pos.Outcome()
		if said := string(wires[outcome.Winner].said); !strings.Contains(said, PlayerName+" (the computer) wins!") {
			t.Fatalf("seed %d: %v, but the winner says %q", seed, outcome, said)
		}
		for _, w := range wires {
			if w.speak(t, true) != game.PromptEnd {
				t.Fatal("the end of the input is not the end")
			}
		}
	}
}

// TestConsolePlayerWithAPerson is the assignment's requirements 1 to 7, as a person meets them.
func TestConsolePlayerWithAPerson(t *testing.T) {
	w := &wire{player: Protocol{}.PlayerEnd(nil, 0, 0)}
	say := func(line string, prompt game.Prompt, want ...string) {
		t.Helper()
		w.keys, w.screen = append(w.keys, line...), nil
		if got := w.speak(t, false); got != prompt {
			t.Errorf("after %q: prompt %v, want %v", line, got, prompt)
		}
		for _, text := range want {
			if !strings.Contains(string(w.screen), text) {
				t.Errorf("after %q it says %q, want %q", line, w.screen, text)
			}
		}
	}
	say("", game.PromptNone, PlayerName, "Do you want to move first or second? ")
	say("?\n", game.PromptNone, `"first" (f, 1): you make the first move; "second" (s, 2): the computer makes it`, "first or second? ")
	say("maybe\n", game.PromptNone, "allowed are first and second", "first or second? ")
	say("First\n", game.PromptNone, "7  -- -- B3 Q3 K3 B3 -- --  computer\n", "1  -- -- b3 q3 k3 b3 -- --  human\n", "Enter your move: ")
	say("?\n", game.PromptNone, "Type two squares, from and to, such as A3D6", "Enter your move: ")
	say("A9B1\n", game.PromptNone, `"A9"`, "Enter your move: ")
	say("D2D3\n", game.PromptNone, "You cannot play D2D3: a knight moves", "Enter your move: ")
	say(" d1 e3\n", game.PromptMove, "3  -- -- -- -- q2 -- -- --\n")
	text := string(w.player.Say(game.Answer{Kind: game.AnswerMove, Move: mustMove(t, "F6E4")}))
	if !strings.HasPrefix(text, PlayerName+" plays F6E4\n") || !strings.Contains(text, "4  -- -- -- -- N2") || !strings.HasSuffix(text, "Enter your move: ") {
		t.Errorf("it plays: %s", text)
	}
	say("E3E5\n", game.PromptNone, "You cannot play E3E5: a queen")
	say("E3C5\n", game.PromptMove)
	w.player.Say(game.Answer{Kind: game.AnswerMove, Move: mustMove(t, "F7E6")})
	say("C5E7\n", game.PromptNone, "You cannot play C5E7: a piece stands between")
}

// Whoever moves second is player 2, and still sees the own men below: every square in what it is told is
// as it sees it, and never as player 1 does.
func TestConsoleErrorsNameThePersonsSquares(t *testing.T) {
	terminal := &wire{player: Protocol{}.PlayerEnd(nil, 0, 0), keys: []byte("second\n")}
	terminal.speak(t, false)
	terminal.player.Say(game.Answer{Kind: game.AnswerMove, Move: mustMove(t, "D1E3")})
	pos := gastank.NewPosition().Play(mustMove(t, "D1E3"))
	end := gastank.Game{}.PersonEnd([2]bool{false, true}, [2]string{PlayerName, "Ann"}, game.DrawStyle{})
	for line, want := range map[string]string{
		"D2D3": "You cannot play D2D3: a knight moves two squares one way and one the other.\n",
		"A1B2": "You cannot play A1B2: nothing stands on A1.\n",
		"E5F6": "You cannot play E5F6: the queen on E5 is the opponent's.\n", // player 1's E3
		"C1E3": "You cannot play C1E3: a piece stands between C1 and E3, and a bishop cannot jump over it on a diagonal.\n",
	} {
		terminal.keys, terminal.screen = []byte(line+"\n"), nil
		if terminal.speak(t, false); !strings.Contains(string(terminal.screen), want) {
			t.Errorf("the program says %q, want %q", terminal.screen, want)
		}
		m, err := end.ReadMove(line, pos.View(game.Second))
		if err != nil {
			t.Fatal(err)
		}
		refused := game.Event{Kind: game.EventIllegal, Side: game.Second, Err: pos.Check(m)}
		if got := end.Tell(refused, pos.View(game.Second)); got != want {
			t.Errorf("the referee's terminal says %q, want %q", got, want)
		}
	}
}

func TestConsolePlayerAnnouncesThePersonsVictory(t *testing.T) {
	w := &wire{player: Protocol{}.PlayerEnd(nil, 0, 0)}
	w.keys = []byte("second\n")
	if w.speak(t, false) != game.PromptMove {
		t.Fatal("the computer is not asked to move first")
	}
	text := string(w.player.Say(game.Answer{Kind: game.AnswerMove, Move: mustMove(t, "E1D2")})) // E7D6 for the person
	if !strings.Contains(text, "plays E7D6") {
		t.Errorf("it says %s", text)
	}
	for _, step := range [][2]string{{"D2C4\n", "D1C3"}, {"C4D6\n", ""}} {
		w.keys, w.screen = []byte(step[0]), nil
		prompt := w.speak(t, false)
		if step[1] == "" {
			if prompt != game.PromptEnd || !strings.Contains(string(w.screen), PlayerName+" has lost the king. You win!") {
				t.Errorf("prompt %v, says %s", prompt, w.screen)
			}
			break
		}
		w.player.Say(game.Answer{Kind: game.AnswerMove, Move: mustMove(t, step[1])})
	}
}

func TestConsoleIsBounded(t *testing.T) {
	r := builtIn[0]().referee(game.First)
	long := []byte(strings.Repeat("thinking\n", maxOutput/8))
	if _, _, err := r.Scan(long, false); !errors.Is(err, game.ErrTooLong) {
		t.Errorf("Scan: %v", err)
	}
	if _, _, _, _, err := r.Silent(long, false); !errors.Is(err, game.ErrTooLong) {
		t.Errorf("Silent: %v", err)
	}
	r.Tell(game.Event{Kind: game.EventTurn, Side: game.First}, gastank.NewPosition().View(game.First))
	start := time.Now()
	for _, text := range []string{"move ", "Your ", "A3D6 ", "\x1b[", "7 -- ", "first 1 ", "\b\x1b]", "enter move"} {
		text = strings.Repeat(text, maxOutput/len(text))
		if _, _, _, _, err := r.Silent([]byte(text), false); err != nil {
			var unreadable *game.UnreadableError
			if !errors.As(err, &unreadable) || len(unreadable.Found) > 200 {
				t.Errorf("%.20q: %v", text, err)
			}
		}
	}
	t.Logf("eight pages of 256 KiB took %v", time.Since(start))
}

// FuzzSilent feeds output in two pieces to every adapter.
func FuzzSilent(f *testing.F) {
	f.Add([]byte("first or second? "), []byte("D7C5\nEnter your move: "), uint8(0), true)
	f.Add([]byte("Who drives first? 1 = you, 2 = me: "), []byte("MOVE from D7 to C5\r\n7 | . | . |b3 |"), uint8(3), false)
	f.Fuzz(func(t *testing.T, one, two []byte, which uint8, last bool) {
		r := builtIn[int(which)%len(builtIn)]().referee(game.Side(which >> 7))
		r.Tell(game.Event{Kind: game.EventTurn, Side: r.side}, gastank.NewPosition().View(r.side))
		if r.side == game.Second {
			m := mustMove(t, "E1E2")
			r.Tell(game.Event{Kind: game.EventMoved, Side: game.First, Move: m}, gastank.NewPosition().Play(m).View(r.side))
		}
		var buf []byte
		for _, text := range [][]byte{one, two} {
			buf = append(buf, text...)
			n, typed, a, found, err := r.Silent(buf, last)
			if n < 0 || n > len(buf) || found && (n == 0 || a.Move.From >= gastank.Files*gastank.Ranks || a.Move.To >= gastank.Files*gastank.Ranks) {
				t.Fatalf("%q: %d, %v, %+v", buf, n, found, a)
			}
			if typed != nil && (found || err != nil || n != len(buf)) {
				t.Fatalf("%q is typed, but %v, %v", typed, found, err)
			}
			buf = buf[n:]
		}
		if n, _, _ := r.Scan(buf, true); n < 0 || n > len(buf) {
			t.Fatalf("%d of %d bytes", n, len(buf))
		}
	})
}

// FuzzTerminalPlayer types anything.
func FuzzTerminalPlayer(f *testing.F) {
	f.Add([]byte("second\nD2C4\n"))
	f.Add([]byte("first\nD1E3\nA1\n\n"))
	f.Fuzz(func(t *testing.T, text []byte) {
		w := wire{player: Protocol{}.PlayerEnd(nil, 0, 0), keys: text}
		for {
			n, prompt, err := w.player.Scan(w.keys, true)
			if err != nil || prompt == game.PromptEnd {
				return
			}
			w.keys = w.keys[n:]
			a := game.Answer{Kind: game.AnswerSetUp}
			if prompt == game.PromptMove {
				a = game.Answer{Kind: game.AnswerMove, Move: w.player.View().Moves(nil)[0]}
			}
			if prompt != game.PromptNone && len(w.player.Say(a)) == 0 {
				t.Fatal("it has nothing to say")
			}
		}
	})
}
