#!/usr/bin/env node
// A complete Luzhanqi program to start from: it plays any legal move. Replace choose() by something better.
//
//   luzhanqi match 'node bot.js' builtin:greedy
//
// Squares are A1 to E12, and a program always sees its own side as rows 1 to 6. What it says and hears is in
// docs/protocol.md. It chooses by chance; with the seed that it writes to standard error it does so again: node bot.js 7.
"use strict";
const readline = require("node:readline");

const COLUMNS = "ABCDE";
const CAMPS = new Set(["B3", "D3", "C4", "B5", "D5", "B8", "D8", "C9", "B10", "D10"]);
const HEADQUARTERS = new Set(["B1", "D1", "B12", "D12"]);

// Rows 1 to 6 from column A to E; a dot is a camp. The flag F in a headquarters, landmines L in rows 1 and 2, no bomb B in row 6.
const SET_UP = ["L2LF3", "425LB", "7.1.B", "61.38", "2.9.5", "14736"];

const mine = new Map(); // square -> piece
const enemy = new Set(); // squares; their pieces are hidden
SET_UP.forEach((row, r) => {
  [...row].forEach((piece, c) => {
    if (piece === ".") return;
    mine.set(COLUMNS[c] + (r + 1), piece);
    enemy.add(COLUMNS[4 - c] + (12 - r)); // the other side sees the board turned
  });
});

// Numbers from 0 to 1 by a seed (mulberry32), since Math.random takes none.
let seed = Number(process.argv[2] ?? Date.now() % 2 ** 32);
console.error("seed", seed); // standard error is yours
function random() {
  seed = (seed + 0x6d2b79f5) | 0;
  let t = Math.imul(seed ^ (seed >>> 15), 1 | seed);
  t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
  return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
}

// The squares one step away, by road or railway.
function neighbours(from) {
  const all = [];
  const column = COLUMNS.indexOf(from[0]);
  const row = Number(from.slice(1));
  for (const dc of [-1, 0, 1]) {
    for (const dr of [-1, 0, 1]) {
      const c = column + dc;
      const r = row + dr;
      if ((dc === 0 && dr === 0) || c < 0 || c > 4 || r < 1 || r > 12) continue;
      const to = COLUMNS[c] + r;
      if (dc !== 0 && dr !== 0 && !CAMPS.has(from) && !CAMPS.has(to)) continue; // diagonals only at camps
      if (dr !== 0 && row + r === 13 && (c === 1 || c === 3)) continue; // the mountains between rows 6 and 7
      all.push(to);
    }
  }
  return all;
}

// My moves, as pairs of squares: not all of the railway, but all of them legal.
function moves() {
  const all = [];
  for (const [from, piece] of mine) {
    if ("FL".includes(piece) || HEADQUARTERS.has(from)) continue; // these never move
    for (const to of neighbours(from)) {
      const safe = CAMPS.has(to) && enemy.has(to); // who stands in a camp cannot be attacked
      if (!mine.has(to) && !safe) all.push([from, to]);
    }
  }
  return all;
}

// Your idea goes here. This one captures when it can, else walks anywhere.
function choose() {
  const all = moves();
  const captures = all.filter(([, to]) => enemy.has(to));
  const from = captures.length > 0 ? captures : all;
  return from[Math.floor(random() * from.length)];
}

// Someone moved. The sign is the mover's: > the piece it met fell, < its own, = both, none: it met nobody.
function outcome(myTurn, sign, from, to) {
  const arrives = sign === "" || sign === ">";
  const clears = sign === ">" || sign === "=";
  if (myTurn) {
    const piece = mine.get(from);
    mine.delete(from);
    if (clears) enemy.delete(to);
    if (arrives) mine.set(to, piece);
  } else {
    enemy.delete(from);
    if (clears) mine.delete(to);
    if (arrives) enemy.add(to);
  }
}

function say(text) {
  process.stdout.write(text + "\n"); // node flushes by itself, as soon as it waits for the next line
}

let me = "";
let myTurn = false;
const input = readline.createInterface({ input: process.stdin });
input.on("line", (line) => {
  const words = line.split(/[\s()]+/).filter((word) => word !== "");
  switch (words[0]) {
    case "setup": // the set-up to give, in a match with openings (see docs/openings.md)
      mine.clear();
      for (let i = 1; i + 1 < words.length; i += 2) mine.set(words[i], words[i + 1]);
      break;
    case "init": // (init 1 time/move 1.0): I am player 1
      me = words[1];
      say("(" + [...mine].map(([square, piece]) => `(${square} ${piece})`).join(" ") + ")");
      break;
    case "opening": // (opening 2): a move of player 2 that is not asked for
    case "go": // (go 2): it is the turn of player 2
      myTurn = words[1] === me;
      if (myTurn && words[0] === "go") {
        const move = choose();
        say(move ? `(${move[0]} ${move[1]})` : "(resign)");
      }
      break;
    case "outcome": // (outcome > (A6 A7)), or without a sign
      outcome(myTurn, words.length === 4 ? words[1] : "", words.at(-2), words.at(-1));
      break;
    case "illegal":
      console.error("the referee called my move illegal:", line);
      break;
    case "end": // (end 1): player 1 has won
      input.close();
      break;
    default: // (flag 2 D12): the flag of player 2 stands on D12. This program does not use it.
  }
});
