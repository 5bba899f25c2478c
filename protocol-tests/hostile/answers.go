package main

// The modes whose answer is wrong: in its bytes, as a set-up, as a move. After it they play honestly.

var byteModes = []mode{
	{"trailing-garbage", replies, "sends garbage behind a legal answer, in the same write", does(reworded(func(honest string) string { return honest + " garbage\n" }))},
	{"leading-garbage", replies, "sends hello before a legal answer", does(reworded(func(honest string) string { return "hello " + honest + "\n" }))},
	{"big-setup", nothing.count("MIB", 10), "sends a set-up of this size", once(atSetup, bigSetUp)},
	{"deep", nothing.count("DEPTH", 500_000), "sends so many nested parentheses for a set-up, all closed", once(atSetup, nested(true))},
	{"deep-closed", replies.count("DEPTH", 500_000), "sends so many nested parentheses, all closed", does(nested(true))},
	{"deep-open", replies.count("DEPTH", 500_000), "sends so many opening parentheses, none closed", does(nested(false))},
	{"nul", replies, "sends two NUL bytes inside its answer", does(spoiled("\x00\x00"))},
	{"bad-utf8", replies, "sends a broken UTF-8 sequence inside its answer", does(spoiled("\xc3\x28\xff"))},
	{"high-bytes", replies, "sends the bytes 0x80 to 0xff inside its answer", does(spoiled(everyHighByte))},
}

var setUpModes = []mode{
	{"setup-empty", nothing, "sends () for a set-up", once(atSetup, saying("()"))},
	{"setup-missing-piece", nothing, "sends a set-up of 24 pieces", once(atSetup, spoiling("A1:3 ", ""))},
	{"setup-duplicate-square", nothing, "sends a set-up with two pieces on one square and none on another", once(atSetup, spoiling("A2:7", "A1:7"))},
	{"setup-too-many", nothing, "sends a set-up with a 26th piece, in a camp", once(atSetup, spoiling("A1:3", "A1:3 C4:3"))},
	{"setup-in-camp", nothing, "sends a set-up with a piece in a camp", once(atSetup, spoiling("A4:6", "B3:6"))},
	{"setup-enemy-half", nothing, "sends a set-up with a piece on A7", once(atSetup, spoiling("A6:5", "A7:5"))},
	{"setup-flag-not-in-hq", nothing, "sends a set-up with the flag on C1", once(atSetup, spoiling("C1:3", "C1:F", "D1:F", "D1:3"))},
	{"setup-mine-row3", nothing, "sends a set-up with a landmine on A3", once(atSetup, spoiling("A3:5", "A3:L", "D2:L", "D2:5"))},
	{"setup-bomb-row6", nothing, "sends a set-up with a bomb on A6", once(atSetup, spoiling("A6:5", "A6:B", "C2:B", "C2:5"))},
	{"setup-two-flags", nothing, "sends a set-up with a second flag on B1", once(atSetup, spoiling("B1:2", "B1:F"))},
	{"setup-unknown-piece", nothing, "sends a set-up with a piece X", once(atSetup, spoiling("A1:3", "A1:X"))},
	{"setup-unknown-square", nothing, "sends a set-up with a piece on F13", once(atSetup, spoiling("A6:5", "F13:5"))},
	{"setup-a-move", nothing, "sends (A6 A7) for a set-up", once(atSetup, saying("(A6 A7)"))},
	{"setup-resign", nothing, "sends (resign) for a set-up and keeps playing", once(atSetup, saying("(resign)"))},
	{"setup-lowercase", nothing, "sends a set-up in small letters", once(atSetup, reworded(lowercase))},
	{"setup-atom", nothing, "sends a bare word for a set-up", once(atSetup, saying("setup"))},
}

// moveModes play honestly until the fault is possible; where that is not yet so at the first turn, the text says when.
var moveModes = []mode{
	{"move-from-empty", turns, "moves from an empty square", is(moving(fromEmpty, 0))},
	{"move-enemy-piece", turns, "moves an enemy piece", is(moving(enemyPiece, 0))},
	{"move-own-square", turns, "moves onto an own piece", is(moving(ownSquare, 0))},
	{"move-too-far", turns, "moves two steps by road", is(moving(tooFar, 0))},
	{"move-mine", turns, "moves a landmine", is(moving(pieceMoves('L'), 0))},
	{"move-flag", turns, "moves the flag; not before the second turn", is(moving(pieceMoves('F'), 1, "D2 D3"))},
	{"move-hq", turns, "moves a piece out of headquarters; not before the third turn", is(moving(fromHeadquarters, 0, "A2 B3", "A1 A2"))},
	{"move-into-occupied-camp", turns, "attacks an enemy in a camp, as soon as one comes", is(moving(intoOccupiedCamp, 0))},
	{"move-corner", turns, "turns a corner of the railway without being an engineer; as player 1 not before the second turn", is(moving(roundCorner, 0, "A6 B5"))},
	{"move-through", turns, "jumps over pieces along the railway", is(moving(throughPieces, 0))},
	{"move-mountain", turns, "moves over a mountain, as B6 B7", is(moving(overMountain, 0))},
	{"move-same", turns, "moves from a square to itself", is(moving(nowhere, 0))},
	{"move-off-board", turns, "moves to A13", does(reworded(offBoard))},
	{"move-three-squares", turns, "sends three squares for a move", does(reworded(threeSquares))},
	{"move-setup-again", turns, "sends its set-up again for a move", does(setUpAgain)},
	{"move-list", turns, "sends a legal move in another pair of parentheses", does(reworded(inList))},
	{"move-lowercase", turns, "sends a legal move in small letters", does(reworded(lowercase))},
	{"move-atom", turns, "sends resign without parentheses", does(saying("resign"))},
	{"move-string", turns, "sends a legal move with its squares in quotation marks", does(reworded(quoted))},
	{"move-empty", turns, "sends () for a move", does(saying("()"))},
}
