// Package luzhanqi is what is peculiar to players of Luzhanqi: the levels ([Levels]), and the search by
// which the strong ones play ([Searcher]). A searcher draws worlds from what hiddeninfo and likelihood
// believe (sample.go), plays every move out in all of them (search.go, playout.go) by a policy that was
// learned (soft.go; policytrain.go learns it), and judges where playouts end by network. README.md says how strong they are.
package luzhanqi

import (
	"luzhanqi/game"
	"luzhanqi/player"
	"luzhanqi/player/luzhanqi/likelihood"
	"luzhanqi/player/luzhanqi/network"
	"luzhanqi/player/luzhanqi/policy"
)

// Levels are the levels of Luzhanqi. Those with a number of nodes do not depend on the machine or the limit.
func Levels() []player.Level {
	all := []player.Level{
		{
			Name: "greedy", Summary: "the move that looks best one ply ahead, by what combat has told about each enemy piece",
			New: func(game.Game, player.Options) player.Player { return &greedy{} },
		},
		{
			Name: "rush", Summary: "everything at the enemy's flag, by the shortest way: a style to be tested by, no rung between its neighbours", Style: true,
			New: func(game.Game, player.Options) player.Player { return NewRush(DefaultRush) },
		},
		searching("easy", "a short search without beliefs: 6,000 positions a move, whatever the time", easy),
		searching("medium", "the search of strong without what was learned, 6,000 positions a move, whatever the time", medium),
		searching("hard", "strong as it was at commit f665184, 30,000 positions a move, whatever the time", hard),
		searching("nodes1500", "the search of strong with 1,500 positions a move, whatever the time", nodes1500),
		searching("strong", "full strength: worlds drawn from exact beliefs, every move played out in all of them", Strong),
		searching("naive", "the search without beliefs: what strong is measured against", naive),
		searching("strong-f665184", "strong as it was at commit f665184: what a newer one is measured against", F665184),
	}
	for i := range all {
		all[i].Hidden = all[i].Name == "naive" || all[i].Name == "strong-f665184"
	}
	return all
}

// Strong is the style of the level strong, from which measurements vary one thing at a time.
var Strong = Style{
	Worlds: 64, Most: 512, Plies: 20, Begin: 4, Full: 20_000, Halfway: true, Beliefs: true, Trust: likelihood.DefaultTrust,
	Network: network.Default, Policy: policy.Default, SetUps: FromBook, Mates: true,
	Gates: true, FlagOdds: true, Storms: 8, Passive: true, Learns: true, Foretelling: foretelling, Boldness: 0.04,
}

// foretelling was made by
//
//	luzhanqi-measure calibrate raw --against raw -n 450 --nodes 30000 --seed 205 --fit
//
// at commit 8bcc065: playouts promise more than comes, and the more the longer a game lasts.
var foretelling = Foretelling{
	{0, -0.529, 1.200},
	{40, -1.053, 1.354},
	{80, -1.236, 1.154},
	{120, -0.771, 0.631},
	{160, -0.372, 0.325},
	{220, -0.385, 0.175},
	{300, -0.343, 0.252},
	{500, -0.139, 0.100},
	{1000, -0.092, 0.100},
}

var (
	medium = Style{Worlds: 32, Plies: 20, Nodes: 6_000, Beliefs: true, SetUps: ByRows, Rushes: true}
	easy   = Style{Worlds: 16, Plies: 20, Nodes: 6_000, SetUps: ByRows}
	naive  = Style{Worlds: 64, Plies: 20, SetUps: AsGreedy}
)

// F665184 is Strong as it was at that commit. It is options and files, not a copy of the search: easy and medium, which
// keep their moves, hold the playouts, the halving, the beliefs and the handmade terms in place anyway. What is its own
// are numbers, which are written out here, and what was learned, whose files are never written again. A change
// to the search that it does not play is an option of [Style]; testdata/moves-f665184.txt, made with that commit, tells.
var F665184 = Style{
	Worlds: 64, Plies: 20, Beliefs: true, Trust: likelihood.Trust{Prior: 0.5, Likelihoods: 0.7}, Learned: tableF665184,
	Network: network.F665184, SetUps: FromBookF665184, Rushes: true, Mates: true,
}

func tableF665184() likelihood.Learned { return likelihood.F665184() }

// hard stands between medium and strong, and keeps its moves whatever becomes of strong.
var hard = func() Style {
	s := F665184
	s.Nodes = 30_000
	return s
}()

// nodes1500 stands between hard and strong, and changes with it.
var nodes1500 = func() Style {
	s := Strong
	s.Nodes = 1_500
	return s
}()

func searching(name, summary string, s Style) player.Level {
	return player.Level{
		Name: name, Summary: summary, Timed: s.Nodes == 0,
		New: func(_ game.Game, o player.Options) player.Player { return NewSearcher(s, o) },
	}
}
