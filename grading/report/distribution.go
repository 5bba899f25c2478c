package report

import (
	"fmt"
	"html/template"
	"math"
	"slices"
	"strings"

	"luzhanqi/grading/marks"
	"luzhanqi/text"
)

const (
	bins     = 10  // of a tenth of the points each; who has more than all is in the last
	binWidth = 44  // of the picture, in its own units
	binTop   = 110 // height of the highest bar
)

// distribution pictures how many have which marks, and says where the middle lies.
func distribution(scores []float64, most float64) template.HTML {
	if len(scores) == 0 || most <= 0 {
		return ""
	}
	var counts [bins]int
	sum, highest := 0.0, 0
	for _, score := range scores {
		at := min(bins-1, max(0, int(math.Floor(bins*score/most))))
		counts[at]++
		highest, sum = max(highest, counts[at]), sum+score
	}
	sorted := slices.Sorted(slices.Values(scores))
	share := func(x float64) string { return marks.Format(math.Round(x*100) / 100) }
	said := fmt.Sprintf("%s: mean %s, median %s, a quarter below %s, a quarter above %s, from %s to %s of %s points.",
		text.Count(len(scores), "mark"), share(sum/float64(len(scores))), share(quantile(sorted, 0.5)), share(quantile(sorted, 0.25)), share(quantile(sorted, 0.75)),
		share(sorted[0]), share(sorted[len(sorted)-1]), share(most))
	var b strings.Builder
	const height = binTop + 40
	fmt.Fprintf(&b, `<svg role="img" viewBox="0 0 %d %d" width="%d" height="%d"><title>Distribution of marks</title><desc>%s</desc>`+"\n", bins*binWidth+20, height, bins*binWidth+20, height, said)
	for i, n := range counts {
		x, tall := i*binWidth, float64(binTop*n)/float64(highest)
		fmt.Fprintf(&b, `<rect class="bar" x="%d" y="%.1f" width="%d" height="%.1f"><title>%s from %d %% to %d %%</title></rect>`, x+3, binTop+18-tall, binWidth-6, tall, text.Count(n, "mark"), 10*i, 10*(i+1))
		if n > 0 {
			fmt.Fprintf(&b, `<text x="%d" y="%.1f" text-anchor="middle">%d</text>`, x+binWidth/2, binTop+13-tall, n)
		}
		fmt.Fprintf(&b, `<text class="soft" x="%d" y="%d" text-anchor="middle">%d %%</text>`+"\n", x+2, height-6, 10*i)
	}
	fmt.Fprintf(&b, `<text class="soft" x="%d" y="%d" text-anchor="middle">100 %%</text></svg>`+"\n<p class=\"note\">%s</p>", bins*binWidth-4, height-6, said)
	return template.HTML(b.String())
}

// quantile interpolates between the marks on both sides.
func quantile(sorted []float64, q float64) float64 {
	at := q * float64(len(sorted)-1)
	low := int(at)
	if low == len(sorted)-1 {
		return sorted[low]
	}
	return sorted[low] + (at-float64(low))*(sorted[low+1]-sorted[low])
}

// scores are the marks of those who hand in, each once.
func scores(students []Student) (all []float64) {
	for _, s := range students {
		if s.Counts {
			all = append(all, s.Sheet.Score)
		}
	}
	return all
}
