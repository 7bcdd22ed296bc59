package weir.probe;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import weir.io.Io;

/**
 * The suitability of a machine for measurements, judged by the rules of {@code machine-check.txt}.
 *
 * @param facts from {@link MachineFacts}
 * @param figures from {@link MachineSample}, without unknown figures
 */
public record MachineCheck(Map<String, String> facts, Map<String, Double> figures) {
    private static final Pattern FIGURE = Pattern.compile("\\{(whole|round):?([\\w.]*)}");
    private static final List<Rule> RULES = rules();

    /** A rule for one figure. {@code shown} is the text with the figure; {@code {}} in it is replaced by a fact. */
    private record Rule(String name, String key, String shown, List<Bound> bounds) {
        boolean fact() {
            return shown.contains("{}");
        }
    }

    private record Bound(String condition, Finding.Verdict verdict, String meaning, String advice) {}

    public MachineCheck {
        facts = Map.copyOf(facts);
        figures = Map.copyOf(figures);
    }

    private static List<Rule> rules() {
        List<Rule> rules = new ArrayList<>();
        for (String line : Io.resource("/weir/probe/machine-check.txt").split("\n", -1)) {
            String[] cells = line.strip().split(" \\| ", -1);
            if (line.startsWith("  ")) {
                int verdict = cells[0].lastIndexOf(' ') + 1;
                rules.get(rules.size() - 1)
                        .bounds()
                        .add(new Bound(
                                cells[0].substring(0, verdict).strip(),
                                Finding.Verdict.valueOf(cells[0].substring(verdict)),
                                cells[1],
                                cells.length > 2 ? cells[2] : ""));
            } else if (!line.isEmpty() && !line.startsWith("#")) {
                rules.add(new Rule(cells[0], cells[1], cells[2], new ArrayList<>()));
            }
        }
        return List.copyOf(rules);
    }

    public List<Finding> findings() {
        Map<String, Double> known = new HashMap<>(figures);
        Double times = figures.get("canary.cpu.scaling");
        if (times != null) {
            known.put("canary.cpu.share", times / figures.getOrDefault("cpu.usable", times));
        }
        return RULES.stream().map(rule -> finding(rule, known)).toList();
    }

    private Finding finding(Rule rule, Map<String, Double> known) {
        boolean there = rule.fact() ? facts.containsKey(rule.key()) : known.containsKey(rule.key());
        for (Bound bound : rule.bounds()) {
            boolean unlimited = bound.condition().equals("none") && !there && facts.containsKey("cgroup.version");
            if (unlimited || (there && holds(bound.condition(), rule, known))) {
                String shown = unlimited ? "none" : shown(rule, known);
                return new Finding(rule.name(), shown, bound.verdict(), bound.meaning(), bound.advice());
            }
        }
        String why = "cannot be read here, as usual in containers and virtual machines";
        return new Finding(rule.name(), "", Finding.Verdict.UNKNOWN, why, "");
    }

    private boolean holds(String condition, Rule rule, Map<String, Double> known) {
        if (condition.isEmpty() || condition.equals("none")) {
            return condition.isEmpty();
        }
        int space = condition.indexOf(' ');
        String wanted = condition.substring(space + 2);
        if (rule.fact()) {
            return List.of(wanted.split(",", -1)).contains(facts.get(rule.key()));
        }
        Double figure = known.get(space < 0 ? rule.key() : condition.substring(0, space));
        if (figure == null) {
            return false;
        }
        double bound = Double.parseDouble(wanted);
        return switch (condition.charAt(space + 1)) {
            case '<' -> figure < bound;
            case '>' -> figure > bound;
            default -> figure == bound;
        };
    }

    private String shown(Rule rule, Map<String, Double> known) {
        if (rule.fact()) {
            return rule.shown().replace("{}", facts.getOrDefault(rule.key(), ""));
        }
        return FIGURE.matcher(rule.shown()).replaceAll(figure -> {
            double value = known.getOrDefault(figure.group(2).isEmpty() ? rule.key() : figure.group(2), Double.NaN);
            return Matcher.quoteReplacement(figure.group(1).equals("whole") ? whole(value) : round(value));
        });
    }

    private static String whole(double value) {
        return String.format(Locale.ROOT, "%,.0f", value);
    }

    private static String round(double value) {
        if (Math.abs(value) < 0.005) {
            return "0";
        }
        return Math.abs(value) >= 100
                ? whole(value)
                : String.format(Locale.ROOT, Math.abs(value) >= 10 ? "%.1f" : "%.2f", value);
    }
}
