#!/usr/bin/env node
// A complete Jungle program to start from: it walks towards the enemy's den. Replace choose() by something better.
//
//   luzhanqi match --game jungle 'node bot.js' builtin:greedy
//
// The referee sends all legal moves, so a program need not know the rules (game/jungle/README.md). A square is x y;
// 0 0 is top left for both sides. It chooses by chance; with the seed that it writes to standard error it does so
// again: node bot.js 7.
"use strict";
const readline = require("node:readline");

const RED_DEN = [3, 8];
const BLUE_DEN = [3, 0];

// Numbers from 0 to 1 by a seed (mulberry32), since Math.random takes none.
let seed = Number(process.argv[2] ?? Date.now() % 2 ** 32);
console.error("seed", seed); // standard error is yours
function random() {
  seed = (seed + 0x6d2b79f5) | 0;
  let t = Math.imul(seed ^ (seed >>> 15), 1 | seed);
  t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
  return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
}

// Your idea goes here. This one prefers the move that comes nearest to the den. A move is [x1, y1, x2, y2].
function choose(moves, target) {
  const distance = (x, y) => Math.abs(x - target[0]) + Math.abs(y - target[1]);
  const winning = moves.find(([, , x, y]) => distance(x, y) === 0);
  if (winning) return winning;
  const chance = moves[Math.floor(random() * moves.length)];
  if (random() < 0.2) return chance; // else two walkers could block each other for ever
  const gain = ([x1, y1, x2, y2]) => distance(x1, y1) - distance(x2, y2);
  return moves.reduce((best, move) => (gain(move) > gain(best) ? move : best), chance);
}

async function main() {
  const input = readline.createInterface({ input: process.stdin });
  const lines = input[Symbol.asyncIterator]();
  const read = async () => (await lines.next()).value; // undefined at the end of the input

  let color = await read(); // red begins, blue is second
  // In a match with openings a position or moves that are played already come before it.
  while (color?.startsWith("opening") || color?.startsWith("position")) color = await read();
  const target = color === "red" ? BLUE_DEN : RED_DEN;
  // A turn: the opponent's last move (-1 -1 -1 -1: none yet), how many moves I have, and these. The game ends with the input.
  for (let last; (last = await read()) !== undefined; ) {
    console.error("they played", last);
    const count = Number(await read());
    const moves = [];
    for (let i = 0; i < count; i++) {
      moves.push((await read()).split(" ").map(Number));
    }
    if (count === 0) break; // who cannot move has lost
    // One blank and a comment may follow the move. node flushes by itself, as soon as it waits for the next line.
    process.stdout.write(choose(moves, target).join(" ") + "\n");
  }
  input.close();
}

main();
