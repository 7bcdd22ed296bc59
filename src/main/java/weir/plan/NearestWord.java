package weir.plan;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;

/** A search for the known word that a mistyped word probably means. */
public final class NearestWord {
    private static final int MOST_LISTED = 12;
    /** The limit of a word's length, because the cost grows with the square of the length. */
    private static final int LONGEST = 80;

    private NearestWord() {}

    public static List<String> to(String word, Collection<String> known) {
        if (word.length() > LONGEST) {
            return List.of();
        }
        int tolerance = Math.max(1, word.length() / 3);
        return known.stream()
                .filter(candidate -> Math.abs(candidate.length() - word.length()) <= tolerance
                        && distance(word, candidate) <= tolerance)
                .sorted(Comparator.comparingInt((String candidate) -> distance(word, candidate)))
                .limit(3)
                .toList();
    }

    /** {@code ; did you mean 'x'?}, or a shortened list of all known words. */
    public static String hint(String word, Collection<String> known) {
        String meant = meant(word, known);
        if (!meant.isEmpty() || known.isEmpty()) {
            return meant.isEmpty() ? "; none exists" : meant;
        }
        List<String> listed = new ArrayList<>(known);
        String more = listed.size() > MOST_LISTED ? ", …" : "";
        return "; known: " + String.join(", ", listed.subList(0, Math.min(MOST_LISTED, listed.size()))) + more;
    }

    /** {@code ; did you mean 'x'?}, or an empty text if no word is near. */
    public static String meant(String word, Collection<String> known) {
        return to(word, known).stream()
                .findFirst()
                .map(near -> "; did you mean '" + near + "'?")
                .orElse("");
    }

    private static int distance(String a, String b) {
        int[][] edits = new int[a.length() + 1][b.length() + 1];
        for (int i = 0; i <= a.length(); i++) {
            for (int j = 0; j <= b.length(); j++) {
                if (i == 0 || j == 0) {
                    edits[i][j] = i + j;
                    continue;
                }
                int change = a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1;
                edits[i][j] = Math.min(edits[i - 1][j - 1] + change, 1 + Math.min(edits[i - 1][j], edits[i][j - 1]));
                boolean swapped =
                        i > 1 && j > 1 && a.charAt(i - 1) == b.charAt(j - 2) && a.charAt(i - 2) == b.charAt(j - 1);
                if (swapped) {
                    edits[i][j] = Math.min(edits[i][j], edits[i - 2][j - 2] + 1);
                }
            }
        }
        return edits[a.length()][b.length()];
    }
}
