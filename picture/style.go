package picture

import (
	_ "embed"
	"encoding/base64"
)

// Font is the font of the Chinese characters on boards: a subset, in WOFF 2. pieces.txt has its licence.
//
//go:embed pieces.woff2
var Font []byte

// Characters are those that the font has.
const Characters = "司令軍長師旅團營連排工兵炸彈地雷旗行大本山界陸戰棋象獅虎豹狼狗貓鼠獸穴陷阱"

//go:embed board.css
var boardCSS string

// FontFamily is what style sheets call the font.
const FontFamily = "Luzhanqi Pieces"

// Style is the CSS of all boards, light and dark; withFont: and the font, for a file that stands alone.
func Style(withFont bool) string {
	if !withFont {
		return boardCSS
	}
	return `@font-face{font-family:"` + FontFamily + `";src:url(data:font/woff2;base64,` + base64.StdEncoding.EncodeToString(Font) + `) format("woff2")}` + "\n" + boardCSS
}
