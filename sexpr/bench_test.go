package sexpr_test

import (
	"fmt"
	"strings"
	"testing"

	"luzhanqi/sexpr"
)

func BenchmarkParseMove(b *testing.B) {
	text := []byte("(A10 E12)")
	b.Run("LookupMove", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			if _, ok := sexpr.LookupMove(text); !ok {
				b.Fatal("not found")
			}
		}
	})
	b.Run("ParsePlayer", func(b *testing.B) { parsePlayer(b, string(text)) })
}

func BenchmarkParsePlayerSlow(b *testing.B) { parsePlayer(b, "( A10\r\n E12 )") }

func BenchmarkParseInitial(b *testing.B) { parsePlayer(b, setUp().String()) }

// The most that a hostile program can make one call cost.
func BenchmarkParseHostile(b *testing.B) {
	for name, text := range map[string]string{
		"placements":  "(" + strings.Repeat("(A1 F)", 10900) + ")",
		"parentheses": "((A1 F)" + strings.Repeat("()", 32000) + ")",
		"one word":    "(" + strings.Repeat("\x00", 65000) + ")",
	} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				sexpr.ParsePlayer([]byte(text))
			}
		})
	}
}

func parsePlayer(b *testing.B, text string) {
	b.ReportAllocs()
	for b.Loop() {
		if _, err := sexpr.ParsePlayer([]byte(text)); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkFrame(b *testing.B) {
	text := []byte(setUp().String() + "\n")
	b.Run("set-up", func(b *testing.B) { frameAll(b, text, len(text)) })
	b.Run("set-up byte by byte", func(b *testing.B) { frameAll(b, text, 1) })
	b.Run("move", func(b *testing.B) { frameAll(b, []byte("(A10 E12)\n"), 10) })
}

func frameAll(b *testing.B, text []byte, piece int) {
	b.ReportAllocs()
	b.SetBytes(int64(len(text)))
	var framer sexpr.Framer
	for b.Loop() {
		found := false
		for to := piece; to <= len(text) && !found; to += piece {
			_, end, err := framer.Next(text[:to])
			if err != nil {
				b.Fatal(err)
			}
			found = end > 0
		}
		if !found {
			b.Fatal("not framed")
		}
	}
}

// setUp has 25 placements, as every legal one.
func setUp() sexpr.Initial {
	var initial sexpr.Initial
	for i, piece := range []byte("FLLLBB9877665544333222111") {
		square := sexpr.Square(fmt.Sprintf("%c%d", 'A'+i%5, 1+i/5))
		initial = append(initial, sexpr.Placement{Square: square, Piece: sexpr.Piece(piece)})
	}
	return initial
}
