package player

import (
	"bytes"
	"errors"
	"io"
	"math/rand/v2"
	"time"

	"github.com/rs/zerolog"

	"luzhanqi/clock"
	"luzhanqi/game"
)

// ErrHungUp is what Serve returns when the referee ends the conversation in the middle of a game.
var ErrHungUp = errors.New("the referee closed the conversation before the end of the game")

// Serve plays one game over in and out, until the referee says that it is over. What the referee
// says that cannot be understood is logged and passed over: better to play on than to lose on time.
func Serve(in io.Reader, out io.Writer, end game.PlayerEnd, p Player, r *rand.Rand, log zerolog.Logger) error {
	var buf []byte
	eof := false
	for {
		n, prompt, err := end.Scan(buf, eof)
		heard := clock.Now()
		if err != nil {
			whole := n > 0 // a message that was understood in part may still ask for an answer
			if !whole {
				prompt = game.PromptNone
				n, whole = garbage(buf)
			}
			if whole || eof || len(buf) >= maxGarbage {
				log.Warn().Err(err).Bytes("passed_over", buf[:min(n, 80)]).Msg("cannot understand the referee")
			} else {
				n = 0
			}
		}
		buf = buf[n:]
		var answer game.Answer
		switch prompt {
		case game.PromptEnd:
			return nil
		case game.PromptSetUp:
			answer = game.Answer{Kind: game.AnswerSetUp, SetUp: p.SetUp(r)}
		case game.PromptMove:
			answer = choose(end, p, r, heard)
		case game.PromptNone:
			if n > 0 {
				continue
			}
			if eof {
				return ErrHungUp
			}
			if buf, err = more(in, buf); err == io.EOF {
				eof = true
			} else if err != nil {
				return err
			}
			continue
		}
		if _, err := out.Write(end.Say(answer)); err != nil {
			return err
		}
	}
}

func choose(end game.PlayerEnd, p Player, r *rand.Rand, heard time.Time) game.Answer {
	v := end.View()
	if len(v.Moves(nil)) == 0 {
		return game.Answer{Kind: game.AnswerResign}
	}
	limit := end.Limit()
	if limit == 0 {
		limit = time.Second
	}
	return game.Answer{Kind: game.AnswerMove, Move: p.Choose(v, Due(heard, limit), r)}
}

// maxGarbage is how much of a line that cannot be understood is waited for.
const maxGarbage = 4 << 10

// garbage measures what is to be passed over: blanks, and a line, which may not be whole yet, up to
// what could begin a message.
func garbage(buf []byte) (n int, whole bool) {
	start := len(buf) - len(bytes.TrimLeft(buf, " \t\r\n\v\f"))
	if begin := bytes.IndexAny(buf[min(start+1, len(buf)):], "(\n"); begin >= 0 && buf[start+1+begin] == '(' {
		return start + 1 + begin, true
	}
	if end := bytes.IndexByte(buf[start:], '\n'); end >= 0 {
		return start + end + 1, true
	}
	return len(buf), false
}

// more appends what can be read next to buf.
func more(in io.Reader, buf []byte) ([]byte, error) {
	const chunk = 4 << 10
	if cap(buf)-len(buf) < chunk {
		buf = append(make([]byte, 0, 2*len(buf)+2*chunk), buf...)
	}
	n, err := in.Read(buf[len(buf):cap(buf)])
	if n > 0 {
		err = nil
	}
	return buf[:len(buf)+n], err
}
