package alphabeta_test

import (
	gastankrules "luzhanqi/game/gastank"
	junglerules "luzhanqi/game/jungle"
	quagmirerules "luzhanqi/game/quagmire"
	"luzhanqi/player/alphabeta"
	"luzhanqi/player/gastank"
	"luzhanqi/player/jungle"
	"luzhanqi/player/quagmire"
)

func init() {
	alphabeta.TestGames = []alphabeta.TestGame{
		{Game: junglerules.Game{}, Search: jungle.Search},
		{Game: gastankrules.Game{}, Search: gastank.Search},
		{Game: quagmirerules.Game{}, Search: quagmire.Search},
	}
}
