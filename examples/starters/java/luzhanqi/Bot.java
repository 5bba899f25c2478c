import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;

/**
 * A complete Luzhanqi program to start from: it plays any legal move. Replace choose() by something better.
 *
 *   javac Bot.java
 *   luzhanqi match 'java Bot' builtin:greedy
 *
 * Squares are A1 to E12, and a program always sees its own side as rows 1 to 6. What it says and hears is in
 * docs/protocol.md. It chooses by chance; with the seed that it writes to standard error it does so again: java Bot 7.
 */
public class Bot {
    static final Set<String> CAMPS = Set.of("B3", "D3", "C4", "B5", "D5", "B8", "D8", "C9", "B10", "D10");
    static final Set<String> HEADQUARTERS = Set.of("B1", "D1", "B12", "D12");

    // Rows 1 to 6 from column A to E; a dot is a camp. The flag F in a headquarters, landmines L in rows 1 and 2, no bomb B in row 6.
    static final String[] SET_UP = {"L2LF3", "425LB", "7.1.B", "61.38", "2.9.5", "14736"};

    final Map<String, Character> mine = new HashMap<>(); // square -> piece
    final Set<String> enemy = new HashSet<>(); // squares; their pieces are hidden
    final Random random;
    boolean myTurn;

    Bot(long seed) {
        random = new Random(seed);
        for (int row = 1; row <= 6; row++) {
            for (int column = 0; column < 5; column++) {
                char piece = SET_UP[row - 1].charAt(column);
                if (piece != '.') {
                    mine.put(square(column, row), piece);
                    enemy.add(square(4 - column, 13 - row)); // the other side sees the board turned
                }
            }
        }
    }

    static String square(int column, int row) {
        return "ABCDE".charAt(column) + "" + row;
    }

    /** The squares one step away, by road or railway. */
    static List<String> neighbours(String from) {
        List<String> all = new ArrayList<>();
        int column = from.charAt(0) - 'A', row = Integer.parseInt(from.substring(1));
        for (int dc = -1; dc <= 1; dc++) {
            for (int dr = -1; dr <= 1; dr++) {
                int c = column + dc, r = row + dr;
                if ((dc == 0 && dr == 0) || c < 0 || c > 4 || r < 1 || r > 12) continue;
                String to = square(c, r);
                if (dc != 0 && dr != 0 && !CAMPS.contains(from) && !CAMPS.contains(to)) continue; // diagonals only at camps
                if (dr != 0 && row + r == 13 && (c == 1 || c == 3)) continue; // the mountains between rows 6 and 7
                all.add(to);
            }
        }
        return all;
    }

    /** My moves, as pairs of squares: not all of the railway, but all of them legal. */
    List<String[]> moves() {
        List<String[]> all = new ArrayList<>();
        for (Map.Entry<String, Character> piece : mine.entrySet()) {
            String from = piece.getKey();
            if ("FL".indexOf(piece.getValue()) >= 0 || HEADQUARTERS.contains(from)) continue; // these never move
            for (String to : neighbours(from)) {
                boolean safe = CAMPS.contains(to) && enemy.contains(to); // who stands in a camp cannot be attacked
                if (!mine.containsKey(to) && !safe) all.add(new String[] {from, to});
            }
        }
        return all;
    }

    /** Your idea goes here. This one captures when it can, else walks anywhere. */
    String[] choose() {
        List<String[]> moves = moves();
        List<String[]> captures = new ArrayList<>();
        for (String[] move : moves) {
            if (enemy.contains(move[1])) captures.add(move);
        }
        List<String[]> from = captures.isEmpty() ? moves : captures;
        return from.isEmpty() ? null : from.get(random.nextInt(from.size()));
    }

    /** Someone moved. The sign is the mover's: ">" the piece it met fell, "<" its own, "=" both, "" it met nobody. */
    void outcome(String sign, String from, String to) {
        boolean arrives = sign.isEmpty() || sign.equals(">"), clears = sign.equals(">") || sign.equals("=");
        if (myTurn) {
            char piece = mine.remove(from);
            if (clears) enemy.remove(to);
            if (arrives) mine.put(to, piece);
        } else {
            enemy.remove(from);
            if (clears) mine.remove(to);
            if (arrives) enemy.add(to);
        }
    }

    static void say(String text) {
        System.out.println(text);
        System.out.flush(); // a PrintWriter would keep the answer to itself without this, and lose on time
    }

    public static void main(String[] args) throws IOException {
        long seed = args.length > 0 ? Long.parseLong(args[0]) : System.nanoTime();
        System.err.println("seed " + seed); // standard error is yours
        Bot bot = new Bot(seed);
        String me = "";
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in));
        for (String line; (line = in.readLine()) != null; ) {
            String[] words = line.replaceAll("[()]", " ").trim().split("\\s+");
            switch (words[0]) {
                case "setup": // the set-up to give, in a match with openings (see docs/openings.md)
                    bot.mine.clear();
                    for (int i = 1; i + 1 < words.length; i += 2) bot.mine.put(words[i], words[i + 1].charAt(0));
                    break;
                case "init": // (init 1 time/move 1.0): I am player 1
                    me = words[1];
                    StringBuilder setUp = new StringBuilder();
                    bot.mine.forEach((square, piece) -> setUp.append("(" + square + " " + piece + ")"));
                    say("(" + setUp + ")");
                    break;
                case "opening": // (opening 2): a move of player 2 that is not asked for
                case "go": // (go 2): it is the turn of player 2
                    bot.myTurn = words[1].equals(me);
                    if (bot.myTurn && words[0].equals("go")) {
                        String[] move = bot.choose();
                        say(move == null ? "(resign)" : "(" + move[0] + " " + move[1] + ")");
                    }
                    break;
                case "outcome": // (outcome > (A6 A7)), or without a sign
                    bot.outcome(words.length == 4 ? words[1] : "", words[words.length - 2], words[words.length - 1]);
                    break;
                case "illegal":
                    System.err.println("the referee called my move illegal: " + line);
                    break;
                case "end": // (end 1): player 1 has won
                    return;
                default: // (flag 2 D12): the flag of player 2 stands on D12. This program does not use it.
            }
        }
    }
}
