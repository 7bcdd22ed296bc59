package weir.plan;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Changes of an experiment's text as a user, an editor or a script may make them; a seed decides all of them. */
public final class Mutations {
    private static final Pattern NUMBER = Pattern.compile("[0-9]+(\\.[0-9]+)?");
    private static final Pattern KEY = Pattern.compile("[a-z][a-z0-9.-]*(?=:)");
    private static final Pattern VALUE = Pattern.compile("(?<=: )[^ #\\[\\]{},\\n][^#\\[\\]{},\\n]*");

    private static final List<String> NUMBERS = List.of(("0 -1 2000000000 99999999999999999999 " + "9".repeat(400)
                    + " NaN Infinity 0x7fffffff 1e308 0.0000001 1_000 ١٢٣ 1,5 -0 1.5.2")
            .split(" ", -1));

    private static final List<String> VALUES = List.of(
            "[]",
            "{}",
            "null",
            "~",
            "true",
            "off",
            "\"\"",
            "'",
            "[[[[1]]]]",
            "{ a: { b: { c: 1 } } }",
            "*alias",
            "&anchor x",
            "!!int 5",
            "|",
            "2026-11-22",
            "${env:HOME}",
            "${file:/etc/hostname}",
            "../../../../etc/passwd",
            "max",
            "all",
            "each",
            "none",
            "50% of capacity",
            "one at a time",
            "response p99 < 50ms",
            "a / b",
            "%s%n%x",
            "x".repeat(5_000),
            "\"\\u0000\"",
            "\"\\e[31m\"",
            "Ünïcödé ☃ 𝕏",
            "\u202eabc",
            "\u00a0",
            ".",
            "..");

    private static final List<String> KEYS =
            List.of("x", "lood", "*", "null", "on", "like", "grid", "topics", "compression", "p99", "load.rate");

    private static final List<String> CHARACTERS = ("\u0000\u0007\u001b\u007f\u0085\u2028\ufeff\ufffe\t\r\"'`@%&"
                    + "*!|>{}[],:#?-\ud83d\ude00\u0301\\")
            .codePoints()
            .mapToObj(Character::toString)
            .toList();

    private static final List<String> ADDITIONS = List.of(
            "\nrepeat: 2000000000\n",
            "\nvariants: { a: { like: b }, b: { like: a } }\n",
            "\ntopics: { t: { count: 2000000000 } }\n",
            "\ntopics: { .: {}, ..: {}, a.b: {}, a_b: {} }\n",
            "\ngrid: { load.producers: [1, 2, 3, 4, 5, 6, 7, 8, 9, 10], repeat: [1, 2, 3, 4, 5, 6, 7, 8, 9, 10] }\n",
            "\n---\nname: second\n",
            "\n? [a, b]\n: c\n",
            "\nload:\n",
            "\nsearch: { capacity: { limits: [response p99 < 50ms], from: 1/s, to: 1G/s, precision: 0.0000001% } }\n",
            "\nload: { rate: { steps: [1/s to 1G/s by 1/s for 100h] } }\n",
            "\nload: { rate: { replay: /dev/zero } }\n",
            "\nload: { value: { file: /dev/zero } }\n",
            "\nload: { value: { file: /proc/self/mem, each: { delimiter: '(a+)+$' } } }\n",
            "\nload: { producer: { acks: both, batch.size: -1 } }\n",
            "\ncluster: { bootstrap: \"nowhere:0,:,:99999999\" }\n",
            "\ncluster: { client: /etc/passwd }\n",
            "\nmeasure: { operations: 999999999999999999 }\n",
            "\nwarmup: { operations: 999999999999999999 }\n");

    private final SplittableRandom random;

    public Mutations(long seed) {
        this.random = new SplittableRandom(seed);
    }

    /** Returns the text with one to three changes, as the bytes of a file. */
    public byte[] of(String text) {
        List<UnaryOperator<String>> ways = List.of(
                this::lineDeleted,
                this::lineDoubled,
                this::linesSwapped,
                this::lineIndented,
                this::cutOff,
                whole -> replaced(whole, NUMBER, any(NUMBERS)),
                whole -> replaced(whole, NUMBER, any(NUMBERS)),
                whole -> replaced(whole, KEY, any(KEYS)),
                this::keyMisspelt,
                whole -> replaced(whole, VALUE, any(VALUES)),
                whole -> replaced(whole, VALUE, any(VALUES)),
                whole -> inserted(whole, any(CHARACTERS)),
                whole -> inserted(whole, any(VALUES)),
                whole -> whole + any(ADDITIONS),
                this::grown,
                this::lineDeleted,
                this::keyMisspelt,
                whole -> replaced(whole, KEY, any(KEYS)),
                whole -> replaced(whole, VALUE, any(VALUES)),
                whole -> replaced(whole, NUMBER, any(NUMBERS)));
        String spoilt = text;
        for (int i = random.nextInt(3); i >= 0; i--) {
            spoilt = ways.get(random.nextInt(ways.size())).apply(spoilt);
        }
        byte[] bytes = spoilt.getBytes(StandardCharsets.UTF_8);
        if (bytes.length > 0 && random.nextInt(8) == 0) {
            bytes[random.nextInt(bytes.length)] ^= (byte) (1 << random.nextInt(8));
        }
        return bytes;
    }

    private String any(List<String> of) {
        return of.get(random.nextInt(of.size()));
    }

    private List<String> lines(String text) {
        return new ArrayList<>(List.of(text.split("\n", -1)));
    }

    private String lineDeleted(String text) {
        List<String> lines = lines(text);
        lines.remove(random.nextInt(lines.size()));
        return String.join("\n", lines);
    }

    private String lineDoubled(String text) {
        List<String> lines = lines(text);
        int line = random.nextInt(lines.size());
        lines.add(random.nextInt(lines.size()), lines.get(line));
        return String.join("\n", lines);
    }

    private String linesSwapped(String text) {
        List<String> lines = lines(text);
        java.util.Collections.swap(lines, random.nextInt(lines.size()), random.nextInt(lines.size()));
        return String.join("\n", lines);
    }

    private String lineIndented(String text) {
        List<String> lines = lines(text);
        int line = random.nextInt(lines.size());
        lines.set(line, any(List.of(" ", "   ", "\t", "- ", "  - ", "# ")) + lines.get(line));
        return String.join("\n", lines);
    }

    private String cutOff(String text) {
        return text.substring(0, random.nextInt(text.length() + 1));
    }

    private String inserted(String text, String what) {
        int at = random.nextInt(text.length() + 1);
        return text.substring(0, at) + what + text.substring(at);
    }

    private String keyMisspelt(String text) {
        return replaced(text, KEY, "", key -> {
            int at = random.nextInt(key.length());
            return random.nextBoolean()
                    ? key.substring(0, at) + key.substring(at + 1)
                    : key.substring(0, at) + key.charAt(at) + key.substring(at);
        });
    }

    private String replaced(String text, Pattern pattern, String by) {
        return replaced(text, pattern, by, found -> by);
    }

    private String replaced(String text, Pattern pattern, String by, UnaryOperator<String> change) {
        Matcher matcher = pattern.matcher(text);
        if (!matcher.find(random.nextInt(text.length() + 1)) && !matcher.find(0)) {
            return text + by;
        }
        return text.substring(0, matcher.start()) + change.apply(matcher.group()) + text.substring(matcher.end());
    }

    /** Repeats a part more often than a user would write it. */
    private String grown(String text) {
        int many = 20 << random.nextInt(7);
        return switch (random.nextInt(8)) {
            case 0 -> text + "\nvariants:\n  v0: {}\n" + each(many, i -> "  v" + (i + 1) + ": { like: v" + i + " }\n");
            case 1 -> text + "\nvariants:\n" + each(many * 6, i -> "  v" + i + ": {}\n");
            case 2 -> text + "\ntopics:\n" + each(many * 6, i -> "  t" + i + ": {}\n");
            case 3 -> text + "\nexpect:\n" + each(many, i -> "  - lost == " + i + "\n");
            case 4 -> text + "\nquestion: " + "[".repeat(many) + "\n";
            case 5 -> text + "\nquestion: \"" + "why? ".repeat(many * 10) + "\"\n";
            case 6 -> text + "\nduring:\n" + each(many, i -> "  d" + i + ": { at: 1s, kill: broker 1 }\n");
            default -> text + "\nload: { producer: { plugin: {" + each(many, i -> "p" + i + ": 1, ") + "} } }\n";
        };
    }

    private static String each(int many, java.util.function.IntFunction<String> line) {
        return IntStream.range(0, many).mapToObj(line).collect(Collectors.joining());
    }
}
