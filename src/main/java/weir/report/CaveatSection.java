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
import weir.report.block.Block;
import weir.results.value.Caveat;
import weir.results.value.ExpectResult;

/** The expectations of a run and every caveat about its figures. */
final class CaveatSection {
    private static final int FEW = 8;

    private static final int MOST_DOUBTS = 4;
    private static final int EVIDENCE = 3;

    private CaveatSection() {}

    static List<Block> expectations(RunView run) {
        List<Block> blocks = new ArrayList<>(expectations(run.result().expect()));
        if (!run.asked().unjudged().isEmpty()) {
            blocks.add(Block.note(unjudged(run) + "."));
        }
        return blocks;
    }

    static List<Block> expectations(List<ExpectResult> all) {
        List<ExpectResult> passed = all.stream().filter(ExpectResult::passed).toList();
        List<ExpectResult> others =
                all.stream().filter(expect -> !expect.passed()).toList();
        if (passed.size() <= FEW) {
            return all.isEmpty()
                    ? List.of()
                    : List.of(
                            list(Stream.concat(others.stream(), passed.stream()).toList()));
        }
        Block folded = Block.more(passed.size() + " of " + all.size() + " expectations passed", list(passed));
        return others.isEmpty() ? List.of(folded) : List.of(list(others), folded);
    }

    private static String unjudged(RunView run) {
        List<String> unjudged = run.asked().unjudged();
        return unjudged.size() + " of the file are not judged, because this run is short or skips variants: "
                + String.join("; ", unjudged);
    }

    private static Block list(List<ExpectResult> expectations) {
        List<Block.Text> entries = new ArrayList<>();
        for (ExpectResult expect : expectations) {
            Block.Text entry = Block.styled(look(expect.verdict()))
                    .with(Block.Mark.STRONG, expect.verdict())
                    .with(Block.Mark.PLAIN, " ")
                    .with(Block.Mark.CODE, expect.text());
            entries.add(expect.reason().isEmpty() ? entry : entry.with(Block.Mark.SPAN, expect.reason(), "found"));
        }
        return Block.list("verdicts", entries);
    }

    private static String look(String verdict) {
        return switch (verdict) {
            case "passed" -> "good";
            case "failed" -> "bad";
            default -> "open";
        };
    }

    static List<Block> caveats(RunView run) {
        Map<String, List<Caveat>> same = new LinkedHashMap<>();
        run.result().caveats().stream()
                .sorted(Comparator.comparing(Caveat::level).reversed())
                .forEach(caveat -> same.computeIfAbsent(caveat.type(), type -> new ArrayList<>())
                        .add(caveat));
        List<Block> blocks = new ArrayList<>();
        List<Block> doubts = new ArrayList<>();
        same.values().forEach(caveats -> (invalid(caveats) ? blocks : doubts).add(caveat(run, caveats)));
        if (!same.isEmpty()) {
            blocks.add(new Block.Group("doubts", doubts));
        }
        return blocks;
    }

    private static boolean invalid(List<Caveat> caveats) {
        return caveats.get(0).level() == CaveatType.Level.INVALID;
    }

    private static Block caveat(RunView run, List<Caveat> caveats) {
        Caveat first = caveats.get(0);
        String level = first.level().name().toLowerCase(Locale.ROOT);
        List<Block> inside = new ArrayList<>();
        inside.add(Block.styled("where", where(run, caveats)));
        caveats.stream()
                .map(caveat -> evidence(run, caveats, caveat))
                .distinct()
                .forEach(text -> inside.add(Block.text(text)));
        String accepted = run.asked().accepted().get(first.type());
        if (accepted != null) {
            inside.add(Block.styled("accepted", "Accepted in the experiment: " + accepted));
        }
        caveats.stream()
                .map(Caveat::advice)
                .filter(advice -> !advice.isBlank())
                .distinct()
                .forEach(advice -> inside.add(Block.styled("do", advice)));
        Block.Text summary = Block.styled("")
                .with(Block.Mark.SPAN, level, "level")
                .with(Block.Mark.PLAIN, " ")
                .with(Block.Mark.STRONG, first.type());
        return new Block.Details("caveat " + level, invalid(caveats), summary, inside);
    }

    private static String evidence(RunView run, List<Caveat> all, Caveat caveat) {
        boolean same = all.stream().allMatch(other -> other.evidence().equals(caveat.evidence()));
        return same ? caveat.evidence() : labelled(run, caveat);
    }

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

    static List<Block> briefExpectations(RunView run) {
        List<Block> blocks = new ArrayList<>();
        for (ExpectResult expect : run.result().expect()) {
            String reason = expect.reason().isEmpty() ? "" : " (" + expect.reason() + ")";
            if (!expect.passed()) {
                blocks.add(Block.text(expect.verdict() + ": " + expect.text() + reason));
            }
        }
        long passed =
                run.result().expect().stream().filter(ExpectResult::passed).count();
        if (passed > 0) {
            blocks.add(Block.text(passed + " of " + run.result().expect().size() + " expectations passed"));
        }
        if (!run.asked().unjudged().isEmpty()) {
            blocks.add(Block.text(unjudged(run)));
        }
        return blocks;
    }

    static List<Block> briefCaveats(RunView run, int room) {
        List<Caveat> doubts = run.result().caveats().stream()
                .filter(caveat -> caveat.level() != CaveatType.Level.NOTE)
                .toList();
        // Lines for the names of all caveats, which must always fit.
        int names = 2
                + run.result().caveats().stream()
                                .map(Caveat::type)
                                .distinct()
                                .mapToInt(type -> type.length() + 2)
                                .sum()
                        / 90;
        List<Block> blocks = new ArrayList<>();
        List<String> seen = new ArrayList<>();
        for (Caveat caveat : doubts) {
            boolean fits = seen.size() < MOST_DOUBTS && TextLines.of(blocks).size() + EVIDENCE + names <= room;
            if (!seen.contains(caveat.type()) && fits) {
                seen.add(caveat.type());
                String level = caveat.level().name().toLowerCase(Locale.ROOT);
                blocks.add(Block.text(level + " " + caveat.type() + ": " + caveat.evidence()));
                if (!caveat.advice().isBlank()) {
                    blocks.add(Block.styled("do", caveat.advice()));
                }
            }
        }
        blocks.addAll(named("also: ", doubts.stream().filter(caveat -> !seen.contains(caveat.type()))));
        blocks.addAll(named(
                "notes: ", run.result().caveats().stream().filter(caveat -> caveat.level() == CaveatType.Level.NOTE)));
        return blocks;
    }

    private static List<Block> named(String what, Stream<Caveat> caveats) {
        String types = caveats.map(Caveat::type).distinct().collect(Collectors.joining(", "));
        return types.isEmpty() ? List.of() : List.of(Block.text(what + types));
    }
}
