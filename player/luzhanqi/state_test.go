package luzhanqi

import (
	"slices"
	"testing"

	"luzhanqi/game"
	"luzhanqi/game/luzhanqi"
	"luzhanqi/hiddeninfo"
)

// A playout's position goes through random games as the rules' own board does: the same moves, the
// same pieces, the same loser.
func TestStateFollowsTheRules(t *testing.T) {
	for seed := range uint64(40) {
		r := newRand(seed)
		minesStay := seed%2 == 1
		b := luzhanqi.Deploy(luzhanqi.RandomSetUp(r), luzhanqi.RandomSetUp(r))
		var next [2]hiddeninfo.Piece
		s := newState(&b, game.First, minesStay, func(side game.Side, _ game.Square) (hiddeninfo.Piece, bool) {
			next[side]++
			return next[side] - 1, true
		})
		s.value()
		for range 300 {
			want := b.Moves(s.mover, nil)
			var got []game.Move
			for from := range (s.of[s.mover] &^ (s.fixed | luzhanqi.Headquarters)).All() {
				for to := range s.targets(from).All() {
					got = append(got, game.Move{From: from, To: to})
				}
			}
			if !slices.Equal(got, want) {
				t.Fatalf("seed %d: moves %v, must be %v", seed, got, want)
			}
			if len(want) == 0 {
				break
			}
			m := want[r.IntN(len(want))]
			result, _, _ := b.Play(m, minesStay)
			s.play(m.From, m.To)
			if taken := result == luzhanqi.FlagTaken; taken != (s.lost != 0) {
				t.Fatalf("seed %d: the result is %v, lost is %d", seed, result, s.lost)
			} else if taken {
				break
			}
			fresh := newState(&b, s.mover, minesStay, func(_ game.Side, sq game.Square) (hiddeninfo.Piece, bool) {
				return hiddeninfo.Piece(s.piece[sq]), true
			})
			fresh.value()
			if fresh.of != s.of || fresh.fixed != s.fixed || fresh.engineers != s.engineers || fresh.worth != s.worth || fresh.movers != s.movers {
				t.Fatalf("seed %d: after %s\n%+v, must be\n%+v", seed, luzhanqi.MoveName(m), s, fresh)
			}
			for sq := range b.Occupied().All() {
				if _, rank, _ := b.At(sq); s.rank[sq] != rank {
					t.Fatalf("seed %d: %s holds %v, must be %v", seed, luzhanqi.SquareName(sq), s.rank[sq], rank)
				}
			}
		}
	}
}

// Set-ups are legal, and the flag stands behind three landmines.
func TestShelteredSetUps(t *testing.T) {
	for seed := range uint64(200) {
		s := sheltered(newRand(seed))
		if _, err := luzhanqi.ParseSetUp(s.String()); err != nil {
			t.Fatal(err)
		}
	}
}

// The count of configurations is the referee's: a walk to and fro is drawn when the history says so.
func TestHistoryCountsAsTheReferee(t *testing.T) {
	r := newRand(1)
	p := luzhanqi.NewPosition(sheltered(r), sheltered(r), false)
	var h repetition
	walk := func(side game.Side) game.Move {
		m := p.Moves(nil)
		for _, m := range m {
			if _, _, taken := boardAt(p, m.To); !taken && !luzhanqi.Headquarters.Has(m.To) && m.From/5 != 0 {
				return m
			}
		}
		return m[0]
	}
	there := [2]game.Move{}
	for ply := range 100 {
		side := p.Mover()
		var m game.Move
		switch ply / 2 % 2 {
		case 0:
			if ply < 2 {
				there[side] = walk(side)
			}
			m = there[side]
		default:
			m = game.Move{From: there[side].To, To: there[side].From}
		}
		h.update(p.View(side).(*luzhanqi.View))
		drawn := h.times(m) >= drawnAfter
		p = p.Play(m).(*luzhanqi.Position)
		o, over := p.Outcome()
		if drawn != over {
			t.Fatalf("ply %d: the repetition says %v, the referee %v (%v)", ply, drawn, over, o)
		}
		if over {
			return
		}
	}
	t.Fatal("the walk was never drawn")
}

func boardAt(p *luzhanqi.Position, sq game.Square) (game.Side, luzhanqi.Rank, bool) {
	b := p.Board()
	return b.At(sq)
}
