// A complete Luzhanqi program to start from: it plays any legal move. Replace choose() by something better.
//
//   g++ -O2 -o bot bot.cpp
//   luzhanqi match ./bot builtin:greedy
//
// Squares are A1 to E12, and a program always sees its own side as rows 1 to 6. What it says and hears is in
// docs/protocol.md. It chooses by chance; with the seed that it writes to standard error it does so again: ./bot 7.

#include <iostream>
#include <map>
#include <random>
#include <set>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

using Move = std::pair<std::string, std::string>;

const std::set<std::string> CAMPS = {"B3", "D3", "C4", "B5", "D5", "B8", "D8", "C9", "B10", "D10"};
const std::set<std::string> HEADQUARTERS = {"B1", "D1", "B12", "D12"};

// Rows 1 to 6 from column A to E; a dot is a camp. The flag F in a headquarters, landmines L in rows 1 and 2, no bomb B in row 6.
const std::string SET_UP[6] = {"L2LF3", "425LB", "7.1.B", "61.38", "2.9.5", "14736"};

std::string square(int column, int row) { return std::string(1, 'A' + column) + std::to_string(row); }

// neighbours are the squares one step away, by road or railway.
std::vector<std::string> neighbours(const std::string &from) {
    std::vector<std::string> all;
    int column = from[0] - 'A', row = std::stoi(from.substr(1));
    for (int dc = -1; dc <= 1; dc++) {
        for (int dr = -1; dr <= 1; dr++) {
            int c = column + dc, r = row + dr;
            if ((dc == 0 && dr == 0) || c < 0 || c > 4 || r < 1 || r > 12) continue;
            std::string to = square(c, r);
            if (dc != 0 && dr != 0 && !CAMPS.count(from) && !CAMPS.count(to)) continue;  // diagonals only at camps
            if (dr != 0 && row + r == 13 && (c == 1 || c == 3)) continue;  // the mountains between rows 6 and 7
            all.push_back(to);
        }
    }
    return all;
}

struct Game {
    std::map<std::string, char> mine;  // square -> piece
    std::set<std::string> enemy;       // squares; their pieces are hidden
    bool my_turn = false;
    std::mt19937 random;

    explicit Game(unsigned seed) : random(seed) {
        for (int row = 1; row <= 6; row++) {
            for (int column = 0; column < 5; column++) {
                char piece = SET_UP[row - 1][column];
                if (piece == '.') continue;
                mine[square(column, row)] = piece;
                enemy.insert(square(4 - column, 13 - row));  // the other side sees the board turned
            }
        }
    }

    // moves are mine: not all of the railway, but all of them legal.
    std::vector<Move> moves() const {
        std::vector<Move> all;
        for (const auto &[from, piece] : mine) {
            if (piece == 'F' || piece == 'L' || HEADQUARTERS.count(from)) continue;  // these never move
            for (const auto &to : neighbours(from)) {
                bool safe = CAMPS.count(to) && enemy.count(to);  // who stands in a camp cannot be attacked
                if (!mine.count(to) && !safe) all.push_back({from, to});
            }
        }
        return all;
    }

    // choose is where your idea goes. This one captures when it can, else walks anywhere.
    std::string choose() {
        std::vector<Move> all = moves(), captures;
        for (const auto &move : all) {
            if (enemy.count(move.second)) captures.push_back(move);
        }
        if (all.empty()) return "(resign)";
        const auto &from = captures.empty() ? all : captures;
        const Move &move = from[random() % from.size()];
        return "(" + move.first + " " + move.second + ")";
    }

    // outcome: someone moved. The sign is the mover's: > the piece it met fell, < its own, = both, none: it met nobody.
    void outcome(const std::string &sign, const std::string &from, const std::string &to) {
        bool arrives = sign.empty() || sign == ">", clears = sign == ">" || sign == "=";
        if (my_turn) {
            char piece = mine.at(from);
            mine.erase(from);
            if (clears) enemy.erase(to);
            if (arrives) mine[to] = piece;
        } else {
            enemy.erase(from);
            if (clears) mine.erase(to);
            if (arrives) enemy.insert(to);
        }
    }
};

// say sends an answer. endl flushes it: with "\n" it would stay in this program, which would lose on time.
void say(const std::string &text) { std::cout << text << std::endl; }

int main(int argc, char **argv) {
    unsigned seed = argc > 1 ? std::stoul(argv[1]) : std::random_device{}();
    std::cerr << "seed " << seed << std::endl;  // standard error is yours
    Game game(seed);
    std::string me, line;
    while (std::getline(std::cin, line)) {
        for (char &c : line) {
            if (c == '(' || c == ')') c = ' ';
        }
        std::istringstream split(line);
        std::vector<std::string> words;
        for (std::string word; split >> word;) words.push_back(word);
        if (words.empty()) continue;
        if (words[0] == "setup") {  // the set-up to give, in a match with openings (see docs/openings.md)
            game.mine.clear();
            for (size_t i = 1; i + 1 < words.size(); i += 2) game.mine[words[i]] = words[i + 1][0];
        } else if (words[0] == "init") {  // (init 1 time/move 1.0): I am player 1
            me = words[1];
            std::string set_up;
            for (const auto &[square, piece] : game.mine) set_up += "(" + square + " " + piece + ")";
            say("(" + set_up + ")");
        } else if (words[0] == "go" || words[0] == "opening") {  // (go 2): it is the turn of player 2; an opening's move is not asked for
            game.my_turn = words[1] == me;
            if (game.my_turn && words[0] == "go") say(game.choose());
        } else if (words[0] == "outcome") {  // (outcome > (A6 A7)), or without a sign
            size_t n = words.size();
            game.outcome(n == 4 ? words[1] : "", words[n - 2], words[n - 1]);
        } else if (words[0] == "illegal") {
            std::cerr << "the referee called my move illegal: " << line << std::endl;
        } else if (words[0] == "end") {  // (end 1): player 1 has won
            break;
        }  // (flag 2 D12): the flag of player 2 stands on D12. This program does not use it.
    }
}
