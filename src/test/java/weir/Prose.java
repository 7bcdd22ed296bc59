package weir;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The sentences of documents, messages, rows and Javadoc that break a mechanical rule of style: subject, length, words.
 * {@code java src/test/java/weir/Prose.java [PATH]...} lists the sentences in these paths, or in all texts.
 */
public final class Prose {
    /** The files and folders with texts for people. */
    static final List<String> ALL =
            List.of("README.md", "CONTRIBUTING.md", "CHANGELOG.md", "docs", "experiments", "src/main");

    /** The maximum number of words in a sentence. */
    private static final int LONGEST = 30;

    private static final Pattern SUBJECT = Pattern.compile(
            "^(?:nobody|whoever|whatever|who|that which|so many|so much|so long|those|such(?! as\\b)|what(?! to\\b)) ",
            Pattern.CASE_INSENSITIVE);
    private static final Pattern SUBJECT_INSIDE = Pattern.compile(
            "\\b(?:nobody|whoever|whatever|that which|so many|so much|hears?|heard)\\b", Pattern.CASE_INSENSITIVE);
    private static final Map<Pattern, String> WORDS = wordRules(
            "comes? to no end|come to an end", "end",
            "in vain", "without effect",
            "out of sight", "unavailable",
            "tr(?:y|ies|ied) anew|anew", "again, retry",
            "is no(?:t a)? (?:fault|promise|time|platform)|is nothing without", "a positive statement",
            "of which none|of whom", "a sentence of its own",
            "the most are|the least are", "must be at most N, must be at least N",
            "has to be there", "must exist",
            "the hand|of the hand", "process, by mistake",
            "tells? of|is told of|are told of", "reports",
            "gives? back what", "recovers");

    private static final Pattern CELLS = Pattern.compile("(?<!\\\\)\\|");
    private static final Pattern SENTENCES =
            Pattern.compile("(?<=[.!?])(?<!e\\.g\\.|i\\.e\\.|vs\\.) (?=[^a-z])|\u0000|(?<=:) (?=- )");
    private static final Pattern NOWHERE = Pattern.compile("(?!)");
    private static final Pattern SPACE = Pattern.compile(" ");
    private static final Pattern LITERAL = Pattern.compile("\"((?:[^\"\\\\\\n]|\\\\.)*)\"");
    private static final Pattern MESSAGE = Pattern.compile(
            "\"(?:[^\"\\\\\\n]|\\\\.)*\"(?:\\s*\\+\\s*(?:[\\w.]+(?:\\([^()\"]*\\))?\\s*\\+\\s*)?\"(?:[^\"\\\\\\n]|\\\\.)*\")*");
    private static final Pattern TEXT_BLOCK = Pattern.compile("(?s)\"\"\"\n(.*?)\"\"\"");
    private static final Pattern JAVADOC = Pattern.compile("(?s)/\\*\\*(.*?)\\*/");
    private static final Pattern ROW = Pattern.compile("(?m)^\\s*(?:- )?([\\w-]+): +(\\S.* .*)$");
    private static final Pattern COMMENT = Pattern.compile("(?m)(?:^|\\s)# ?(.*)$");
    private static final Pattern PROGRAM =
            Pattern.compile("^(?:write|example|requires|property|pattern|source|test|if|when)$");

    private Prose() {}

    public static void main(String[] paths) throws IOException {
        List<String> found = faults(paths.length == 0 ? ALL : List.of(paths));
        found.forEach(System.out::println);
        System.err.println(found.size() + " sentences break a rule of style");
        System.exit(found.isEmpty() ? 0 : 1);
    }

    /** Returns the faults of the files below these paths, one line each: file, line, rule and sentence. */
    static List<String> faults(List<String> paths) throws IOException {
        List<String> found = new ArrayList<>();
        for (String path : paths) {
            try (Stream<Path> files = Files.walk(Path.of(path))) {
                for (Path file : files.filter(Files::isRegularFile).sorted().toList()) {
                    faults(file, found);
                }
            }
        }
        return found;
    }

    private static void faults(Path file, List<String> found) throws IOException {
        String name = file.toString();
        if (!name.matches(".*\\.(?:md|java|ya?ml)")) {
            return;
        }
        String text = Files.readString(file, StandardCharsets.UTF_8);
        for (Map.Entry<Integer, String> part : parts(name, text).entrySet()) {
            int line = (int) text.substring(0, part.getKey())
                            .chars()
                            .filter(c -> c == '\n')
                            .count()
                    + 1;
            for (String sentence : sentences(part.getValue())) {
                String fault = fault(sentence);
                if (!fault.isEmpty()) {
                    found.add(name + ":" + line + ": " + fault + ": " + sentence);
                }
            }
        }
    }

    /** Returns the texts of a file for people, by their start positions. */
    private static Map<Integer, String> parts(String name, String text) {
        Map<Integer, String> parts = new TreeMap<>();
        if (name.endsWith(".md")) {
            String prose = blank(text, "(?s)<!--.*?-->|```.*?```|~~~.*?~~~");
            Matcher block = Pattern.compile(
                            "(?s)(?:^|\\n)(?!\\s*\\n)(.*?)(?=\\n\\s*\\n|\\n\\s*(?:[-*|#>]|\\d+\\.) ?|$)")
                    .matcher(prose);
            while (block.find()) {
                int start = block.start(1);
                Pattern cells = block.group(1).startsWith("|") ? CELLS : NOWHERE;
                for (String cell : cells.splitAsStream(block.group(1)).toList()) {
                    parts.put(start, cell.replaceFirst("^\\s*(?:[-*>#]+|\\d+\\.) ", ""));
                    start += cell.length() + 1;
                }
            }
        } else if (name.endsWith(".java")) {
            collect(JAVADOC, text, 1, parts);
            String code = blank(text, "(?s)/\\*.*?\\*/|(?m)^\\s*//.*$");
            for (MatchResult block : TEXT_BLOCK.matcher(code).results().toList()) {
                parts.put(block.start(1), block.group(1));
            }
            Matcher message = MESSAGE.matcher(TEXT_BLOCK
                    .matcher(code)
                    .replaceAll(block -> " ".repeat(block.group().length())));
            while (message.find()) {
                parts.put(
                        message.start(),
                        LITERAL.matcher(message.group())
                                .results()
                                .map(literal -> literal.group(1))
                                .collect(Collectors.joining()));
            }
        } else {
            for (MatchResult row : ROW.matcher(text).results().toList()) {
                if (!PROGRAM.matcher(row.group(1)).matches()
                        && !row.group(2).startsWith("{")
                        && !row.group(2).startsWith("[")) {
                    parts.put(row.start(2), row.group(2).replaceFirst("\\s#.*", ""));
                }
            }
            collect(COMMENT, text, 1, parts);
        }
        return parts;
    }

    private static void collect(Pattern pattern, String text, int group, Map<Integer, String> parts) {
        pattern.matcher(text).results().forEach(found -> parts.put(found.start(group), found.group(group)));
    }

    /** Replaces each match by spaces, so that positions stay. */
    private static String blank(String text, String pattern) {
        return Pattern.compile(pattern)
                .matcher(text)
                .replaceAll(m -> Matcher.quoteReplacement(m.group().replaceAll("[^\n]", " ")));
    }

    private static List<String> sentences(String text) {
        String plain = text.replaceAll("(?m)^\\s*\\*(?: |$)", " ")
                .replaceAll("\\{@(?:link|code|value) ([^}]*)\\}", "X")
                .replaceAll("`[^`]*`", "X")
                .replaceAll("(!?)\\[([^\\]]*)\\]\\([^)]*\\)", "$2")
                .replaceAll("<[^>]*>", " ")
                .replaceAll("\\\\n|\\\\t", " ")
                .replaceAll("\\*\\*|__", "")
                .replaceAll("@(?:param|return|throws)\\s+(?:<?\\w+>?)?", "\\\u0000")
                .replaceAll("\\s+", " ");
        return SENTENCES
                .splitAsStream(plain)
                .map(String::strip)
                .filter(sentence -> words(sentence) > 3)
                .toList();
    }

    private static String fault(String sentence) {
        if ((SUBJECT.matcher(sentence).find() && !sentence.endsWith("?"))
                || SUBJECT_INSIDE.matcher(sentence).find()) {
            return "subject";
        }
        for (Map.Entry<Pattern, String> word : WORDS.entrySet()) {
            Matcher found = word.getKey().matcher(sentence);
            if (found.find()) {
                return "'" + found.group() + "', write " + word.getValue();
            }
        }
        long words = words(sentence);
        return words > LONGEST ? words + " words" : "";
    }

    private static long words(String sentence) {
        return SPACE.splitAsStream(sentence).count();
    }

    private static Map<Pattern, String> wordRules(String... pairs) {
        Map<Pattern, String> words = new TreeMap<>((a, b) -> a.pattern().compareTo(b.pattern()));
        for (int i = 0; i < pairs.length; i += 2) {
            words.put(
                    Pattern.compile("\\b(?:" + pairs[i] + ")\\b", Pattern.CASE_INSENSITIVE),
                    pairs[i + 1].toLowerCase(Locale.ROOT));
        }
        return words;
    }
}
