package record

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"

	"luzhanqi/game"
)

// Said is all that the referee wrote to one player, as a record holds it. Whether the record agrees with the rules does not matter.
func Said(r io.Reader, side game.Side) (said []byte, err error) {
	lines := bufio.NewReaderSize(r, 64<<10)
	for number := 1; ; number++ {
		text, torn, err := readLine(lines)
		if err == io.EOF || torn {
			return said, nil
		}
		if err != nil {
			return nil, fmt.Errorf("line %d: %w", number, err)
		}
		var line Line
		if err := json.Unmarshal(text, &line); err != nil {
			return nil, fmt.Errorf("line %d is not a line of a record: %w", number, err)
		}
		if line.Event != "sent" || line.Side != int(side)+1 {
			continue
		}
		if line.Bytes != nil {
			said = append(said, line.Bytes...)
		} else {
			said = append(said, line.Text...)
		}
	}
}
