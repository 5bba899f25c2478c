import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.util.Collections;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/**
 * A complete Jungle program to start from: it walks towards the enemy's den. Replace choose() by something better.
 *
 *   javac Bot.java
 *   luzhanqi match --game jungle 'java -XX:+UseSerialGC -XX:TieredStopAtLevel=1 Bot' builtin:greedy
 *
 * The two options let Java start faster, which counts: here the first move has no more than a second. The referee sends
 * all legal moves, so a program need not know the rules (game/jungle/README.md). A square is x y; 0 0 is top left for both
 * sides. It chooses by chance; with the seed that it writes to standard error it does so again: java Bot 7.
 */
public class Bot {
    static final int[] RED_DEN = {3, 8}, BLUE_DEN = {3, 0};

    final Random random;
    int[] target; // the enemy's den

    Bot(long seed) {
        random = new Random(seed);
    }

    int distance(int x, int y) {
        return Math.abs(x - target[0]) + Math.abs(y - target[1]);
    }

    /** Your idea goes here. This one prefers the move that comes nearest to the den. A move is x1 y1 x2 y2. */
    int[] choose(List<int[]> moves) {
        Collections.shuffle(moves, random);
        int[] best = moves.get(0);
        for (int[] move : moves) {
            if (distance(move[2], move[3]) == 0) return move; // this wins
        }
        if (random.nextInt(5) == 0) return best; // else two walkers could block each other for ever
        for (int[] move : moves) {
            if (gain(move) > gain(best)) best = move;
        }
        return best;
    }

    int gain(int[] move) {
        return distance(move[0], move[1]) - distance(move[2], move[3]);
    }

    static int[] numbers(String line) {
        String[] words = line.trim().split(" ");
        int[] all = new int[words.length];
        for (int i = 0; i < all.length; i++) all[i] = Integer.parseInt(words[i]);
        return all;
    }

    public static void main(String[] args) throws IOException {
        long seed = args.length > 0 ? Long.parseLong(args[0]) : System.nanoTime();
        System.err.println("seed " + seed); // standard error is yours
        Bot bot = new Bot(seed);
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in));
        String color = in.readLine(); // red begins, blue is second
        // In a match with openings a position or moves that are played already come before it.
        while (color != null && (color.startsWith("opening") || color.startsWith("position"))) color = in.readLine();
        if (color == null) return;
        bot.target = color.equals("red") ? BLUE_DEN : RED_DEN;
        // A turn: the opponent's last move (-1 -1 -1 -1: none yet), how many moves I have, and these. The game ends with the input.
        for (String last; (last = in.readLine()) != null; ) {
            System.err.println("they played " + last);
            int count = Integer.parseInt(in.readLine().trim());
            List<int[]> moves = new ArrayList<>();
            for (int i = 0; i < count; i++) moves.add(numbers(in.readLine()));
            if (count == 0) return; // who cannot move has lost
            int[] move = bot.choose(moves);
            // One blank and a comment may follow the move.
            System.out.println(move[0] + " " + move[1] + " " + move[2] + " " + move[3]);
            System.out.flush(); // a PrintWriter would keep the answer to itself without this, and lose on time
        }
    }
}
