package likelihood

import (
	_ "embed"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"sync"

	"luzhanqi/game"
	"luzhanqi/game/luzhanqi"
	"luzhanqi/hiddeninfo"
	"luzhanqi/player/luzhanqi/tables"
)

// makersText is what was learned of who sets up armies; its first lines say how.
//
//go:embed makers.txt
var makersText string

// DefaultMakers are those of whom something was learned. It panics if the file, which is part of the program, is
// faulty.
var DefaultMakers = sync.OnceValue(func() *Makers {
	m, err := ReadMakers(makersText)
	if err != nil {
		panic("likelihood/makers.txt: " + err.Error())
	}
	return m
})

// Makers are the prior of set-ups that knows that there are several who make them, and that landmines stand where the
// flag is: a mixture with two components, for either headquarters, for each way of each maker.
type Makers struct {
	Names []string // by style of the mixture
	ways  []Way

	mu     sync.Mutex
	cached map[float64]*hiddeninfo.Mixture // by exponent
}

// Way is how a maker sets up half of some of its armies; the others, such as those with the flag on D1, are their mirror images.
type Way struct {
	Maker string
	Share float64 // of all armies
	// Stranger says that its set-ups were seen, but what its pieces do is expected of it no more than of those of whom nothing was.
	Stranger bool
	Home     Home
	// Logs are the logarithms of the weights, for a flag on B1 unless that is open. Of ranks of which Home
	// leaves nothing to say they mean nothing.
	Logs hiddeninfo.Weights
}

// Home is what a way says of the flag and the landmines next to it.
type Home uint8

// The homes.
const (
	Open    Home = iota // nothing, but what weights say
	Placed              // which headquarters has the flag, and as weights where landmines are then
	Guarded             // besides, that all squares next to the flag have landmines
	homes
)

var homeNames = [homes]string{"open", "placed", "guarded"}

func (h Home) String() string { return homeNames[h] }

// flagSquare is the headquarters for which ways are written down.
const flagSquare = game.Square(1)

// HomeOf says whether a set-up has landmines on all squares next to the flag, and whether it must be mirrored to have
// the flag on B1.
func HomeOf(s luzhanqi.SetUp) (h Home, mirror bool) {
	mirror = s.At(flagSquare) != luzhanqi.Flag
	for sq := range tables.Paths[flagSquare].Attackers.All() {
		if mirror {
			sq = Mirror(sq)
		}
		if s.At(sq) != luzhanqi.Landmine {
			return Placed, mirror
		}
	}
	return Guarded, mirror
}

// Masks are the ranks that are left to the pieces of an army with its flag on B1.
func (h Home) Masks() (masks [hiddeninfo.Pieces]hiddeninfo.Mask) {
	for p, home := range hiddeninfo.Homes {
		masks[p] = hiddeninfo.AnyRank
		switch {
		case h == Open:
		case home == flagSquare:
			masks[p] = hiddeninfo.Only(luzhanqi.Flag)
		case h == Guarded && tables.Paths[flagSquare].Attackers.Has(home):
			masks[p] = hiddeninfo.Only(luzhanqi.Landmine)
		default:
			masks[p] &^= hiddeninfo.Only(luzhanqi.Flag)
		}
	}
	return masks
}

// mirrors is where the piece of a mirrored army is set up.
var mirrors = func() (of [hiddeninfo.Pieces]int) {
	for p, home := range hiddeninfo.Homes {
		of[p] = slices.Index(hiddeninfo.Homes[:], Mirror(home))
	}
	return of
}()

// Mixture is the prior with all weights raised to a power; zero leaves where flag and landmines stand. It serves all
// games at once.
func (m *Makers) Mixture(exponent float64) *hiddeninfo.Mixture {
	m.mu.Lock()
	defer m.mu.Unlock()
	if found, ok := m.cached[exponent]; ok {
		return found
	}
	mixture, err := m.mixture(exponent)
	if err != nil {
		panic(fmt.Sprintf("makers of set-ups: exponent %v: %v", exponent, err)) // ReadMakers has tried another
	}
	if m.cached == nil {
		m.cached = map[float64]*hiddeninfo.Mixture{}
	}
	m.cached[exponent] = mixture
	return mixture
}

func (m *Makers) mixture(exponent float64) (*hiddeninfo.Mixture, error) {
	var all []hiddeninfo.Component
	for i := range m.ways {
		way := &m.ways[i]
		c := hiddeninfo.Component{Style: slices.Index(m.Names, way.Maker), Share: way.Share}
		if exponent > 0 && way.seen() {
			c.Prior = exponentials(&way.Logs, exponent)
		}
		c.Masks = way.Home.Masks()
		if way.Home == Open && !way.seen() { // its mirror image is the same
			all = append(all, c)
			continue
		}
		c.Share /= 2
		mirrored := hiddeninfo.Component{Style: c.Style, Share: c.Share}
		for p, q := range mirrors {
			mirrored.Masks[p] = c.Masks[q]
		}
		if c.Prior != nil {
			mirrored.Prior = &hiddeninfo.Weights{}
			for p, q := range mirrors {
				mirrored.Prior[p] = c.Prior[q]
			}
		}
		all = append(all, c, mirrored)
	}
	return hiddeninfo.NewMixture(all)
}

// styles gives likelihoods to the makers of whom something was learned, and to strangers their own, which are weaker or nil: what
// they do is expected to fit less.
func (m *Makers) styles(likelihoods, strangers *hiddeninfo.Weights) []hiddeninfo.Style {
	all := make([]hiddeninfo.Style, len(m.Names))
	for i := range all {
		all[i] = hiddeninfo.Style{Weight: 1, Likelihoods: strangers}
	}
	for i := range m.ways {
		if m.ways[i].seen() && !m.ways[i].Stranger {
			all[slices.Index(m.Names, m.ways[i].Maker)].Likelihoods = likelihoods
		}
	}
	return all
}

// seen says whether set-ups of the maker were.
func (w *Way) seen() bool { return w.Logs != (hiddeninfo.Weights{}) }

// MakersText is the form in which makers are kept, below the lines of the header, which begin with #.
func MakersText(header string, ways []Way) (string, error) {
	var text strings.Builder
	text.WriteString(header)
	for i := range ways {
		w := &ways[i]
		stranger := ""
		if w.Stranger {
			stranger = " stranger"
		}
		fmt.Fprintf(&text, "maker %s %v %.4f%s\n", w.Maker, w.Home, w.Share, stranger)
		if !w.seen() {
			continue
		}
		for p := range w.Logs {
			for i, rank := range luzhanqi.Ranks {
				if i > 0 {
					text.WriteByte(' ')
				}
				fmt.Fprintf(&text, "%d", int(math.Round(100*w.Logs[p][rank])))
			}
			text.WriteByte('\n')
		}
	}
	_, err := ReadMakers(text.String())
	return text.String(), err
}

// ReadMakers reads lines "maker NAME HOME SHARE", with "stranger" behind those whose pieces are expected to do what a
// stranger's do, each followed by a row of whole hundredths for each square from A1 to E6, a column for each rank from
// the highest to the flag, or by none for weights that are all the same.
func ReadMakers(text string) (*Makers, error) {
	m := &Makers{}
	row := hiddeninfo.Pieces // of the latest way
	for number, line := range strings.Split(text, "\n") {
		fields := strings.Fields(line)
		if len(fields) == 0 || line[0] == '#' {
			continue
		}
		var err error
		if fields[0] == "maker" {
			if row != 0 && row != hiddeninfo.Pieces {
				return nil, fmt.Errorf("line %d: %d rows of weights before it: must be none or %d", number+1, row, hiddeninfo.Pieces)
			}
			err = m.readWay(fields[1:])
			row = 0
		} else {
			err = m.readRow(fields, row)
			row++
		}
		if err != nil {
			return nil, fmt.Errorf("line %d: %w", number+1, err)
		}
	}
	if row != 0 && row != hiddeninfo.Pieces {
		return nil, fmt.Errorf("%d rows of weights at the end: must be none or %d", row, hiddeninfo.Pieces)
	}
	_, err := m.mixture(1)
	return m, err
}

func (m *Makers) readWay(fields []string) (err error) {
	stranger := len(fields) == 4 && fields[3] == "stranger"
	if len(fields) != 3 && !stranger {
		return fmt.Errorf("%d words after maker: must be its name, home and share, and may be stranger", len(fields))
	}
	home := slices.Index(homeNames[:], fields[1])
	if home < 0 {
		return fmt.Errorf("home %q: must be one of %s", fields[1], strings.Join(homeNames[:], ", "))
	}
	w := Way{Maker: fields[0], Home: Home(home), Stranger: stranger}
	if w.Share, err = strconv.ParseFloat(fields[2], 64); err != nil || !(w.Share > 0 && w.Share <= 1) {
		return fmt.Errorf("share %q: must be a number above 0, at most 1", fields[2])
	}
	if !slices.Contains(m.Names, w.Maker) {
		m.Names = append(m.Names, w.Maker)
	}
	m.ways = append(m.ways, w)
	return nil
}

func (m *Makers) readRow(fields []string, row int) error {
	if row >= hiddeninfo.Pieces || len(fields) != len(luzhanqi.Ranks) {
		return fmt.Errorf("row %d of %d numbers: must be %d rows of %d after a line that begins with maker", row+1, len(fields), hiddeninfo.Pieces, len(luzhanqi.Ranks))
	}
	for i, field := range fields {
		w, err := strconv.Atoi(field)
		if err != nil || w < -greatest || w > greatest {
			return fmt.Errorf("%q: must be a whole number from -%d to %d", field, greatest, greatest)
		}
		m.ways[len(m.ways)-1].Logs[row][luzhanqi.Ranks[i]] = float64(w) / 100
	}
	return nil
}
