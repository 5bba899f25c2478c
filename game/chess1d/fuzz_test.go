package chess1d

import (
	"testing"
	"time"
	"unicode/utf8"

	"luzhanqi/game"
)

func FuzzScan(f *testing.F) {
	f.Add([]byte("2\n4\n"), true)
	f.Add([]byte("kahf  \n"), false)
	f.Add([]byte("kahf \r\n"), true)
	f.Add([]byte("kahf\u00e9\n"), true)
	f.Add([]byte("1\nkahf       FHAK\n"), true)
	f.Fuzz(func(t *testing.T, text []byte, eof bool) {
		for _, kind := range []game.AnswerKind{game.AnswerMove, game.AnswerSetUp} {
			end := refereeEnd(standard, game.Second)
			end.Question(kind, NewView(mustBoard(t, "kahf       FHAK"), game.First, false))
			n, a, err := end.Scan(text, eof)
			if n > len(text) || n > 0 && err == nil && a.Kind != kind {
				t.Errorf("%q: %d, %+v, %v", text, n, a, err)
			}
			if n > 0 && err == nil && kind == game.AnswerSetUp && utf8.RuneCountInString(string(a.SetUp)) != Own {
				t.Errorf("%q: the set-up %q has no six characters", text, a.SetUp)
			}
		}
		end := standard.PlayerEnd(game.Rules{}, game.First, time.Second)
		rest := text
		for range len(text) + 2 {
			n, prompt, _ := end.Scan(rest, eof)
			if n > len(rest) {
				t.Fatalf("%d of %d bytes used", n, len(rest))
			}
			if rest = rest[n:]; prompt == game.PromptMove {
				end.View().Moves(nil)
			}
			if n == 0 || prompt != game.PromptNone {
				return
			}
		}
		t.Fatal("reading does not end")
	})
}

func FuzzReadAdapter(f *testing.F) {
	f.Add([]byte("setup = '0'\nmove = '1'\ninput = 'arguments'\n"))
	f.Add([]byte("[x]\n"))
	f.Fuzz(func(t *testing.T, text []byte) {
		if p, err := standard.ReadAdapter(text); err == nil {
			refereeEnd(p, game.First).Question(game.AnswerSetUp, nil)
		}
	})
}
