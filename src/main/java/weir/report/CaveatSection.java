package weir.report;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import weir.plan.syntax.CaveatType;
import weir.report.chart.Html;
import weir.results.value.Caveat;
import weir.results.value.ExpectResult;

/** The expectations, and every named reason to doubt a number. */
final class CaveatSection {
    /** So many expectations that passed are listed; more are a line that opens. */
    private static final int FEW = 8;

    private static final int MOST_DOUBTS = 4;
    /** Lines that a caveat's evidence and advice take. */
    private static final int EVIDENCE = 3;

    private CaveatSection() {}

    /** The expectations; those that did not hold come first and are never folded away. */
    static Html expectations(List<ExpectResult> all, List<String> unjudged) {
        Html html = expectations(all);
        return unjudged.isEmpty() ? html : html.element("p", unjudged(unjudged) + ".", "class", "note");
    }

    private static String unjudged(List<String> unjudged) {
        return unjudged.size() + " of the file not judged, as this run is short or leaves variants out: "
                + String.join("; ", unjudged);
    }

    private static Html expectations(List<ExpectResult> all) {
        List<ExpectResult> passed = all.stream().filter(ExpectResult::passed).toList();
        List<ExpectResult> others =
                all.stream().filter(expect -> !expect.passed()).toList();
        Html html = new Html();
        if (passed.size() <= FEW) {
            return html.add(list(Stream.concat(others.stream(), passed.stream()).toList()));
        }
        if (!others.isEmpty()) {
            html.add(list(others));
        }
        html.open("details", "class", "more")
                .element("summary", passed.size() + " of " + all.size() + " expectations passed");
        return html.add(list(passed)).close();
    }

    private static Html list(List<ExpectResult> expectations) {
        Html html = new Html();
        html.open("ul", "class", "verdicts");
        for (ExpectResult expect : expectations) {
            html.open("li", "class", look(expect.verdict()));
            html.element("b", expect.verdict()).text(" ").element("code", expect.text());
            if (!expect.reason().isEmpty()) {
                html.element("span", expect.reason(), "class", "found");
            }
            html.close();
        }
        return html.close();
    }

    private static String look(String verdict) {
        return switch (verdict) {
            case "passed" -> "good";
            case "failed" -> "bad";
            default -> "open";
        };
    }

    /** Each caveat once, however often it was raised: those that make a trial invalid are open, the others a folded row. */
    static Html caveats(RunView run) {
        Map<String, List<Caveat>> same = new LinkedHashMap<>();
        run.caveats().stream()
                .sorted(Comparator.comparing(Caveat::level).reversed())
                .forEach(caveat -> same.computeIfAbsent(caveat.type(), type -> new ArrayList<>())
                        .add(caveat));
        Html html = new Html();
        same.values().stream().filter(CaveatSection::invalid).forEach(caveats -> html.add(caveat(run, caveats)));
        html.open("div", "class", "doubts");
        same.values().stream().filter(caveats -> !invalid(caveats)).forEach(caveats -> html.add(caveat(run, caveats)));
        return html.close();
    }

    private static boolean invalid(List<Caveat> caveats) {
        return caveats.get(0).level() == CaveatType.Level.INVALID;
    }

    /** @param caveats of one type, the gravest first */
    private static Html caveat(RunView run, List<Caveat> caveats) {
        Caveat first = caveats.get(0);
        String level = first.level().name().toLowerCase(Locale.ROOT);
        Html html = new Html();
        String[] attributes = invalid(caveats)
                ? new String[] {"class", "caveat " + level, "open", ""}
                : new String[] {"class", "caveat " + level};
        html.open("details", attributes).open("summary");
        html.element("span", level, "class", "level").text(" ").element("b", first.type());
        html.close();
        html.element("p", where(run, caveats), "class", "where");
        caveats.stream()
                .map(caveat -> evidence(run, caveats, caveat))
                .distinct()
                .forEach(text -> html.element("p", text));
        String accepted = run.asked().accepted().get(first.type());
        if (accepted != null) {
            html.element("p", "Accepted in the experiment: " + accepted, "class", "accepted");
        }
        caveats.stream()
                .map(Caveat::advice)
                .filter(advice -> !advice.isBlank())
                .distinct()
                .forEach(advice -> html.element("p", advice, "class", "do"));
        return html.close();
    }

    private static String evidence(RunView run, List<Caveat> all, Caveat caveat) {
        boolean same = all.stream().allMatch(other -> other.evidence().equals(caveat.evidence()));
        return same ? caveat.evidence() : labelled(run, caveat);
    }

    /** The evidence, behind the trial that it is of. */
    static String labelled(RunView run, Caveat caveat) {
        String label = label(run, caveat);
        return label.isEmpty() ? caveat.evidence() : label + ": " + caveat.evidence();
    }

    private static String label(RunView run, Caveat caveat) {
        return run.trials().stream()
                .filter(trial -> caveat.trial() != null && trial.result().trial() == caveat.trial())
                .map(TrialView::label)
                .findFirst()
                .orElse("");
    }

    private static String where(RunView run, List<Caveat> caveats) {
        String what = caveats.stream().map(Caveat::weakens).distinct().collect(Collectors.joining("; "));
        List<String> labels = caveats.stream()
                .map(caveat -> label(run, caveat))
                .filter(label -> !label.isEmpty())
                .distinct()
                .toList();
        String whose = labels.size() == run.trials().size() && labels.size() > 1
                ? "all trials"
                : labels.size() > 4 ? labels.size() + " trials" : String.join(", ", labels);
        String weakens = what.isBlank() ? "" : "weakens " + what;
        return weakens + (weakens.isEmpty() || whose.isEmpty() ? "" : " · ") + whose;
    }

    /** Each that failed or is undecided, and how many did. */
    static void expectations(RunView run, TextLines lines) {
        for (ExpectResult expect : run.expect()) {
            String reason = expect.reason().isEmpty() ? "" : " (" + expect.reason() + ")";
            if (!expect.passed()) {
                lines.wrap("  ", expect.verdict() + ": " + expect.text() + reason);
            }
        }
        long passed = run.expect().stream().filter(ExpectResult::passed).count();
        if (passed > 0) {
            lines.add("  " + passed + " of " + run.expect().size() + " expectations passed");
        }
        if (!run.asked().unjudged().isEmpty()) {
            lines.wrap("  ", unjudged(run.asked().unjudged()));
        }
    }

    /** The loudest with their evidence, the others by name. */
    static void caveats(RunView run, TextLines lines) {
        List<Caveat> doubts = run.caveats().stream()
                .filter(caveat -> caveat.level() != CaveatType.Level.NOTE)
                .toList();
        // The names of all of them are to fit in any case: so many lines.
        int names = 2
                + run.caveats().stream()
                                .map(Caveat::type)
                                .distinct()
                                .mapToInt(type -> type.length() + 2)
                                .sum()
                        / 90;
        List<String> seen = new ArrayList<>();
        for (Caveat caveat : doubts) {
            boolean room = seen.size() < MOST_DOUBTS && lines.size() + EVIDENCE + names <= TextReport.MOST_LINES - 2;
            if (!seen.contains(caveat.type()) && room) {
                seen.add(caveat.type());
                lines.wrap(
                        "  ",
                        caveat.level().name().toLowerCase(Locale.ROOT) + " " + caveat.type() + ": "
                                + caveat.evidence());
                if (!caveat.advice().isBlank()) {
                    lines.wrap("    → ", caveat.advice());
                }
            }
        }
        named(
                lines,
                "also: ",
                doubts.stream()
                        .map(Caveat::type)
                        .filter(type -> !seen.contains(type))
                        .toList());
        named(
                lines,
                "notes: ",
                run.caveats().stream()
                        .filter(caveat -> caveat.level() == CaveatType.Level.NOTE)
                        .map(Caveat::type)
                        .toList());
    }

    private static void named(TextLines lines, String what, List<String> types) {
        if (!types.isEmpty()) {
            lines.wrap("  ", what + types.stream().distinct().collect(Collectors.joining(", ")));
        }
    }
}
