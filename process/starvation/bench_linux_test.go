package starvation

import (
	"os"
	"testing"
)

// BenchmarkLook is what a look costs at a program of one thread, on a machine where no thread has begun since the last one.
func BenchmarkLook(b *testing.B) {
	program := start(b, "sleep 1000")
	t := Begin(Program{Root: program}, false)
	if t == nil {
		b.Fatal("nothing is known of a child of this process")
	}
	b.ReportAllocs()
	for b.Loop() {
		t.Look()
	}
}

// BenchmarkSeek is what a look costs where it has to find the program again: here, below a process of several threads.
func BenchmarkSeek(b *testing.B) {
	start(b, "sleep 1000")
	for b.Loop() {
		if Begin(Program{Root: os.Getpid()}, false) == nil {
			b.Fatal("nothing is known of the children of this process")
		}
	}
}

// BenchmarkUsed is what it costs to look at what a program of one process has used, as at the rival in a turn.
func BenchmarkUsed(b *testing.B) {
	p := Program{Root: start(b, "sleep 1000")}
	b.ReportAllocs()
	for b.Loop() {
		Used(p)
	}
}
