// Package conformance pins the conversations between referee and programs byte by byte, in both roles
// and all dialects of all games. Each script in testdata is one promise of a game's page, or of
// docs/protocol.md: it begins with the promise, then plays a game in which every line of both programs
// is written down.
//
// The expected bytes come from the rules, never from what our referee printed. Where a script
// fails, the referee is wrong until the rules say otherwise.
package conformance
