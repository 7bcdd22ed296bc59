package weir.probe;

import static weir.probe.Finding.Verdict.BAD;
import static weir.probe.Finding.Verdict.DOUBT;
import static weir.probe.Finding.Verdict.FINE;
import static weir.probe.Finding.Verdict.UNKNOWN;

import java.util.Locale;
import java.util.Map;
import java.util.function.DoubleFunction;
import java.util.function.Function;
import weir.probe.Finding.Verdict;

/** Puts rules to facts and figures; what is not among them is unknown. */
record MachineRules(Map<String, String> facts, Map<String, Double> figures) {
    /** The judgement of a rule on a figure; the advice is empty where there is none. */
    record Judged(Verdict verdict, String meaning, String advice) {}

    Finding fact(String name, String fact, Function<String, Judged> rule) {
        String text = facts.get(fact);
        return text == null ? unknown(name) : finding(name, text, rule.apply(text));
    }

    Finding figure(String name, String key, DoubleFunction<String> shown, DoubleFunction<Judged> rule) {
        Double value = figures.get(key);
        return value == null ? unknown(name) : finding(name, shown.apply(value), rule.apply(value));
    }

    Finding percent(String name, String key, double doubtful, double bad, String meaning, String advice) {
        return figure(
                name,
                key,
                value -> round(value) + " %",
                value -> value < doubtful
                        ? judge(FINE, "nothing that shows")
                        : judge(value < bad ? DOUBT : BAD, meaning, advice));
    }

    /** A fact that is only there when something is limited. */
    Finding limit(String name, String fact, String unit, Judged limited) {
        String text = facts.get(fact);
        if (text != null) {
            return finding(name, text + unit, limited);
        }
        return facts.containsKey("cgroup.version")
                ? finding(name, "none", judge(FINE, "only the machine itself is the limit"))
                : unknown(name);
    }

    private static Finding unknown(String name) {
        return new Finding(
                name, "", UNKNOWN, "cannot be read here, as is usual in containers and virtual machines", "");
    }

    private static Finding finding(String name, String figure, Judged judged) {
        return new Finding(name, figure, judged.verdict(), judged.meaning(), judged.advice());
    }

    static Judged judge(Verdict verdict, String meaning, String advice) {
        return new Judged(verdict, meaning, advice);
    }

    static Judged judge(Verdict verdict, String meaning) {
        return judge(verdict, meaning, "");
    }

    static String whole(double value) {
        return String.format(Locale.ROOT, "%,.0f", value);
    }

    static String mebibytes(double mib) {
        return whole(mib) + " MiB";
    }

    static String millis(double millis) {
        return round(millis) + " ms";
    }

    static String round(double value) {
        if (Math.abs(value) < 0.005) {
            return "0";
        }
        return String.format(
                Locale.ROOT, Math.abs(value) >= 100 ? "%,.0f" : Math.abs(value) >= 10 ? "%.1f" : "%.2f", value);
    }
}
