package game

// PersonGame is a game that has its own way of being played by people at a terminal. Every other
// game is played in a way that all share: the person's view, the words of the position's errors.
type PersonGame interface {
	Game
	// SharedScreen says that two people play at one screen when no opponent is named.
	SharedScreen() bool
	// SideQuestion is printed to ask which side the person wants to play, unless that is known;
	// empty: nothing is asked, and the person plays First. ReadSide reads the answer; its error is
	// printed, and the question asked again.
	SideQuestion() string
	ReadSide(line string) (Side, error)
	// PersonEnd begins a game at the terminal. people says which sides are people; names has the names of both players.
	PersonEnd(people [2]bool, names [2]string, style DrawStyle) PersonEnd
}

// PersonEnd prints for the people at one terminal, and reads the lines they type:
// strings in, strings out, line ends included. Views are those of the person, and of First when two
// people share the screen.
type PersonEnd interface {
	// Tell returns what is printed when e has happened, of the kinds EventTurn, EventMoved and
	// EventIllegal (a legal answer was refused by the rules; Err says why); v is the view after it.
	Tell(e Event, v View) string
	// Prompt is printed before each line that a person types.
	Prompt(v View) string
	// ReadMove reads a move of the side whose turn it is, without the line's end, into player 1's
	// frame. Its error names the input and the allowed forms; it is passed to Unreadable.
	ReadMove(line string, v View) (Move, error)
	// Unreadable is printed when ReadMove gave an error; the person is asked again.
	Unreadable(err error) string
	// End is printed last. o says who won; its reason is a whole sentence.
	End(o Outcome, v View) string
}

// Taught is a game that says to people in a few sentences how it is won, and what else a first game needs.
type Taught interface {
	Game
	Goal() string
	// Page is its README: all rules, and the conversations.
	Page() string
}
