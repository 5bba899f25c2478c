// A complete Jungle program to start from: it walks towards the enemy's den. Replace choose() by something better.
//
//   g++ -O2 -o bot bot.cpp
//   luzhanqi match --game jungle ./bot builtin:greedy
//
// The referee sends all legal moves, so a program need not know the rules (game/jungle/README.md). A square is x y;
// 0 0 is top left for both sides. It chooses by chance; with the seed that it writes to standard error it does so
// again: ./bot 7.

#include <algorithm>
#include <cstdlib>
#include <iostream>
#include <random>
#include <string>
#include <vector>

struct Square {
    int x, y;
};

struct Move {
    Square from, to;
};

const Square RED_DEN = {3, 8}, BLUE_DEN = {3, 0};

int distance(Square a, Square b) { return std::abs(a.x - b.x) + std::abs(a.y - b.y); }

// choose is where your idea goes. This one prefers the move that comes nearest to the enemy's den.
Move choose(std::vector<Move> moves, Square target, std::mt19937 &random) {
    std::shuffle(moves.begin(), moves.end(), random);
    for (const Move &move : moves) {
        if (distance(move.to, target) == 0) return move;  // this wins
    }
    if (random() % 5 == 0) return moves[0];  // else two walkers could block each other for ever
    auto gain = [&](const Move &move) { return distance(move.from, target) - distance(move.to, target); };
    return *std::max_element(moves.begin(), moves.end(), [&](const Move &a, const Move &b) { return gain(a) < gain(b); });
}

int main(int argc, char **argv) {
    unsigned seed = argc > 1 ? std::stoul(argv[1]) : std::random_device{}();
    std::cerr << "seed " << seed << std::endl;  // standard error is yours
    std::mt19937 random(seed);
    std::string color;  // red begins, blue is second
    std::cin >> color;
    for (std::string rest; color == "opening" || color == "position"; std::cin >> color) {
        std::getline(std::cin, rest);  // a position, or a move that is played already: in a match with openings
    }
    Square target = color == "red" ? BLUE_DEN : RED_DEN;
    // A turn: the opponent's last move (-1 -1 -1 -1: none yet), how many moves I have, and these. The game ends with the input.
    Move last;
    while (std::cin >> last.from.x >> last.from.y >> last.to.x >> last.to.y) {
        std::cerr << "they played " << last.from.x << " " << last.from.y << " " << last.to.x << " " << last.to.y << std::endl;
        int count;
        std::cin >> count;
        std::vector<Move> moves(count);
        for (Move &m : moves) std::cin >> m.from.x >> m.from.y >> m.to.x >> m.to.y;
        if (count == 0) break;  // who cannot move has lost
        Move m = choose(moves, target, random);
        // One blank and a comment may follow the move. endl flushes: with "\n" the answer would stay here, and lose on time.
        std::cout << m.from.x << " " << m.from.y << " " << m.to.x << " " << m.to.y << std::endl;
    }
}
