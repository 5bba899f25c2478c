// Command emil does not build: the function that reads the turn is still to be written.
package main

import "fmt"

func main() {
	for {
		moves, ok := readTurn()
		if !ok {
			return
		}
		fmt.Println(moves[0])
	}
}
