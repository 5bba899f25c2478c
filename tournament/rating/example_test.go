package rating_test

import (
	"fmt"

	"luzhanqi/tournament/rating"
)

// Three players rated by who beat whom, with margins at 95 %.
func ExampleFit() {
	names := []string{"strong", "easy", "random"}
	ratings, err := rating.Fit(len(names), []rating.Met{
		{First: 0, Second: 1, Wins: 34, Draws: 4, Losses: 12},
		{First: 1, Second: 0, Wins: 17, Draws: 3, Losses: 30},
		{First: 1, Second: 2, Wins: 46, Losses: 4},
		{First: 2, Second: 1, Wins: 6, Draws: 1, Losses: 43},
	})
	if err != nil {
		panic(err)
	}
	for i, name := range names {
		elo := ratings.FromMean(i)
		fmt.Printf("%-6s %s ± %s\n", name, rating.Signed(elo.Value, 0), elo.Margin(0))
	}
	// Output:
	// strong +221 ± 64
	// easy   +87 ± 46
	// random -308 ± 82
}

// A match is judged by its pairs, in which both players had both seats, and followed by a test that may end it.
func ExampleSequential() {
	test, err := rating.NewSPRT(0, 20, 0.05, 0.05, rating.Logistic)
	if err != nil {
		panic(err)
	}
	match := rating.Sequential{Test: &test}
	for pair := 0; !match.Decided(); pair++ {
		match.Add(pair, rating.Win, "")
		match.Add(pair, rating.Draw, "")
	}
	fmt.Println(match.Verdict())
	// Output: Elo +190.85 ± 29.98, LOS 100.0 %, LLR 2.96 (-2.94 to 2.94): H1 accepted
}
