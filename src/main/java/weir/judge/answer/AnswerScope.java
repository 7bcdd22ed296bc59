package weir.judge.answer;

import java.util.ArrayList;
import java.util.DoubleSummaryStatistics;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.SortedMap;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import weir.feature.Features;
import weir.feature.SearchKind;
import weir.judge.Capacities;
import weir.results.Machine;
import weir.results.value.NumberFormat;
import weir.results.value.SearchResults;
import weir.results.value.StepResult;
import weir.results.value.TrialResult;

/** The scope of an answer: the conditions under which it holds. */
final class AnswerScope {
    private static final Pattern SHAPED = Pattern.compile("load\\.rate\\.(ramp|poisson|burst|replay)");

    private static final int MOST_NAMED = 3;
    private static final double LEAST_REST = 0.5;

    private AnswerScope() {}

    static String of(RunFindings f) {
        List<String> parts = new ArrayList<>();
        SearchResults found = f.run().conclusion().found();
        List<TrialResult> trials = f.run().trials();
        if (trials.isEmpty() && !found.isEmpty()) {
            SortedMap<String, String> settings = f.asked().variants().get(0).values();
            put(parts, "", settings.get("load.workload"));
            put(parts, "values of ", values(settings, "a file"));
        }
        if (!found.capacities().isEmpty()) {
            parts.add(Capacities.trials(found.capacities()));
        }
        Features.each(SearchKind.class).forEach(kind -> parts.addAll(kind.scope(found)));
        parts.addAll(measured(f.machine(), trials));
        return String.join(" · ", parts) + (f.asked().shortened() ? " · shortened" : "");
    }

    private static List<String> measured(Machine machine, List<TrialResult> trials) {
        List<String> parts = new ArrayList<>();
        if (!trials.isEmpty()) {
            TrialResult first = trials.get(0);
            put(parts, "", each(trials, trial -> trial.settings().getOrDefault("load.workload", "")));
            put(parts, "values of ", each(trials, trial -> values(trial.settings(), "")));
            parts.add(each(trials, AnswerScope::rates) + lengths(trials));
            @Nullable Integer workers = first.generator().workers();
            if (workers != null && workers > 1) {
                parts.add(workers + " workers" + hosts(machine));
            }
            int variants = TrialResult.variants(trials).size();
            parts.add(
                    variants > 1
                            ? variants + " variants, " + trials.size() + " trials"
                            : trials.size() == 1 ? "one trial" : trials.size() + " trials");
        }
        Map<String, String> facts = machine.facts();
        put(parts, "Kafka ", releases(facts, trials));
        put(parts, facts.getOrDefault("cpu.cores", "?") + " × ", facts.get("cpu.model"));
        if (machine.hosts().isEmpty() && trials.stream().anyMatch(AnswerScope::sharing)) {
            parts.add("all processes share " + facts.getOrDefault("cpu.cores", "the same") + " cores");
        }
        if (!trials.isEmpty()) {
            parts.add(trials.get(0).startedAt().replaceFirst("T(\\d\\d:\\d\\d).*", " $1 UTC"));
        }
        return parts;
    }

    private static String hosts(Machine machine) {
        long loading = machine.hosts().stream()
                .filter(host -> !host.workers().isEmpty())
                .count();
        return loading == 0 ? "" : " on " + (loading == 1 ? "another host" : loading + " hosts");
    }

    private static boolean sharing(TrialResult trial) {
        return trial.delivered()
                && trial.steps().size() > 1
                && trial.settings().keySet().stream().noneMatch(key -> key.endsWith("within.cpus"));
    }

    private static @Nullable String releases(Map<String, String> facts, List<TrialResult> trials) {
        List<String> asked = trials.stream()
                .map(trial -> trial.settings().get("cluster.kafka"))
                .filter(Objects::nonNull)
                .distinct()
                .toList();
        return asked.size() > 1 ? NumberFormat.listed(asked) : facts.get("kafka");
    }

    private static String values(SortedMap<String, String> settings, String otherwise) {
        String content = settings.getOrDefault("load.value.content", "");
        return switch (content) {
            case "sequence" -> "a number as text";
            case "planes" -> "a plane position as text";
            default ->
                settings.getOrDefault(
                        "load.value.size", settings.containsKey("load.value.schema") ? "a schema" : otherwise);
        };
    }

    private static String each(List<TrialResult> trials, Function<TrialResult, String> of) {
        List<String> all = trials.stream()
                .map(of)
                .filter(text -> !text.isBlank())
                .distinct()
                .toList();
        int more = all.size() - MOST_NAMED;
        return more > 0
                ? String.join(", ", all.subList(0, MOST_NAMED)) + " and " + more + " more"
                : NumberFormat.listed(all);
    }

    private static String rates(TrialResult trial) {
        List<StepResult> steps = trial.steps();
        if (steps.size() > 1) {
            DoubleSummaryStatistics rates = steps.stream()
                    .mapToDouble(step -> step.rate() == null ? 0 : step.rate())
                    .summaryStatistics();
            return steps.size() + " steps from " + NumberFormat.rate(rates.getMin()) + " to "
                    + NumberFormat.rate(rates.getMax());
        }
        Double rate = steps.isEmpty() ? null : steps.get(0).rate();
        return rate == null ? requestedRate(trial.settings()) : shape(trial) + NumberFormat.rate(rate);
    }

    private static String lengths(List<TrialResult> trials) {
        DoubleSummaryStatistics seconds =
                trials.stream().mapToDouble(TrialResult::seconds).summaryStatistics();
        if (seconds.getMax() <= 0) {
            return ", all before the measured phase";
        }
        String least = NumberFormat.seconds(seconds.getMin());
        String most = NumberFormat.seconds(seconds.getMax());
        boolean stepped = trials.stream().allMatch(trial -> trial.steps().size() > 1);
        List<String> when =
                trials.stream().map(trial -> when(trial.steps())).distinct().toList();
        return (stepped ? ", " : " for ")
                + (least.equals(most) ? most : least + " to " + most)
                + (stepped ? " in all" : "")
                + (when.size() == 1 ? when.get(0) : "");
    }

    private static String shape(TrialResult trial) {
        boolean shaped = trial.settings().keySet().stream()
                .anyMatch(key -> SHAPED.matcher(key).lookingAt());
        return shaped ? NumberFormat.step(trial.steps().get(0).label()) + ", on average " : "";
    }

    static String when(List<StepResult> steps) {
        if (steps.isEmpty()) {
            return "";
        }
        double from = steps.get(0).from();
        double to = steps.get(steps.size() - 1).to();
        boolean rests =
                to - from - steps.stream().mapToDouble(StepResult::seconds).sum() > LEAST_REST;
        return String.format(
                Locale.ROOT,
                " (seconds %.0f to %.0f of a trial%s)",
                from,
                to,
                rests ? ", without the rests between steps" : "");
    }

    private static void put(List<String> parts, String before, @Nullable String value) {
        if (value != null && !value.isBlank()) {
            parts.add(before + value);
        }
    }

    private static String requestedRate(SortedMap<String, String> settings) {
        String rate = settings.getOrDefault(
                "load.rate",
                settings.subMap("load.rate.", "load.rate/").entrySet().stream()
                        .map(form ->
                                form.getKey().substring("load.rate.".length()).replace('.', ' ') + " "
                                        + form.getValue())
                        .collect(Collectors.joining(", ")));
        return rate.isEmpty() || rate.equals("max")
                ? "at maximum rate"
                : rate + (rate.endsWith(" at a time") ? " in a closed loop" : "");
    }
}
