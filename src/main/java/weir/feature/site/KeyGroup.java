package weir.feature.site;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import weir.feature.site.PublishedResult.KeyedVariant;
import weir.feature.trend.ChangePoints;
import weir.feature.trend.HistoryEntry;
import weir.feature.trend.RunTrend;
import weir.feature.trend.TrendJudge;
import weir.feature.trend.TrendReport;
import weir.feature.trend.TrendReport.SeriesChange;
import weir.judge.ComparisonKey;
import weir.plan.RecordKeys;
import weir.results.IncomparableRunsException;
import weir.results.PropertyDifference;
import weir.results.value.NumberFormat;

/**
 * All variants with the same key, ordered by time, and the trend of each experiment with enough of these runs.
 *
 * @param notes reasons why a trend lacks a run, or why an experiment has no trend
 */
record KeyGroup(ComparisonKey key, List<KeyedVariant> variants, List<RunTrend> trends, List<String> notes) {
    /** Settings that no chart compares: how often, and the release, which has its own chart. */
    private static final Set<String> NO_CHART = Set.of("repeat", "seed", "cluster.kafka");

    private static final Pattern NAMED = Pattern.compile("(?:topics|during)\\..*");

    KeyGroup {
        variants = List.copyOf(variants);
        trends = List.copyOf(trends);
        notes = List.copyOf(notes);
    }

    /** Groups the variants of the results, which are ordered by time. The groups are ordered by the id of their key. */
    static List<KeyGroup> of(List<PublishedResult> results) {
        SortedMap<String, List<KeyedVariant>> byKey = new TreeMap<>();
        results.forEach(result -> result.variants()
                .forEach(variant -> byKey.computeIfAbsent(variant.key().id(), none -> new ArrayList<>())
                        .add(variant)));
        return byKey.values().parallelStream().map(KeyGroup::judged).toList();
    }

    private static KeyGroup judged(List<KeyedVariant> variants) {
        List<RunTrend> trends = new ArrayList<>();
        List<String> notes = new ArrayList<>();
        SortedMap<String, SortedMap<String, List<KeyedVariant>>> runs = new TreeMap<>();
        variants.forEach(variant -> runs.computeIfAbsent(variant.summary().name(), none -> new TreeMap<>())
                .computeIfAbsent(variant.run(), none -> new ArrayList<>())
                .add(variant));
        runs.forEach((experiment, own) -> {
            if (own.size() >= ChangePoints.FEWEST) {
                try {
                    List<HistoryEntry> entries =
                            own.values().stream().map(KeyGroup::entry).toList();
                    RunTrend trend = TrendJudge.of(experiment, entries, List.of(), List.of(), false, "");
                    trends.add(trend);
                    new TrendReport(trend).notes().forEach(note -> notes.add(experiment + ": " + note));
                } catch (IncomparableRunsException e) {
                    notes.add(String.valueOf(e.getMessage()));
                }
            }
        });
        return new KeyGroup(variants.get(0).key(), variants, trends, notes);
    }

    /** The summary of a run with the figures of only these variants. */
    private static HistoryEntry entry(List<KeyedVariant> variants) {
        HistoryEntry whole = variants.get(0).summary();
        Map<String, Map<String, List<Double>>> figures = new LinkedHashMap<>(whole.figures());
        figures.keySet().retainAll(variants.stream().map(KeyedVariant::name).collect(Collectors.toSet()));
        return RecordKeys.with(whole, Map.of("figures", figures));
    }

    /** Returns the part of this group that belongs to one experiment. */
    KeyGroup only(String experiment) {
        return new KeyGroup(
                key,
                variants.stream()
                        .filter(variant -> variant.summary().name().equals(experiment))
                        .toList(),
                trends.stream().filter(trend -> trend.name().equals(experiment)).toList(),
                notes);
    }

    String address() {
        return "keys/" + key.id() + ".html";
    }

    List<String> experiments() {
        return variants.stream()
                .map(variant -> variant.summary().name())
                .distinct()
                .sorted()
                .toList();
    }

    List<String> runs() {
        return variants.stream().map(KeyedVariant::run).distinct().toList();
    }

    /** The paths of the settings that differ between the variants. The names of topics are no settings. */
    List<String> differing() {
        List<KeyedVariant> drawn = variants.stream().filter(KeyedVariant::drawn).toList();
        Predicate<Map.Entry<String, List<String>>> compared = one -> !NO_CHART.contains(one.getKey())
                && !(NAMED.matcher(one.getKey()).matches() && one.getValue().contains(NumberFormat.MISSING));
        return PropertyDifference.differing(
                        drawn.stream().map(KeyedVariant::settings).toList())
                .entrySet()
                .stream()
                .filter(compared)
                .map(Map.Entry::getKey)
                .toList();
    }

    /** Returns each part of the key with its settings and facts. */
    Map<String, String> parts() {
        Map<String, String> parts = new LinkedHashMap<>();
        key.parts()
                .forEach((part, own) -> parts.put(
                        part.word(),
                        own.isEmpty()
                                ? "defaults"
                                : own.entrySet().stream()
                                        .map(one -> one.getKey() + " " + one.getValue())
                                        .collect(Collectors.joining(", "))));
        return parts;
    }

    /** Returns the changes of level, the newest first. */
    List<FoundChange> changes() {
        return trends.stream()
                .flatMap(trend ->
                        new TrendReport(trend).changes().stream().map(change -> new FoundChange(this, trend, change)))
                .sorted(FoundChange.NEWEST_FIRST)
                .toList();
    }

    static List<FoundChange> changes(List<KeyGroup> groups) {
        return groups.stream()
                .flatMap(group -> group.changes().stream())
                .sorted(FoundChange.NEWEST_FIRST)
                .toList();
    }

    /** Another key, and its differences from this key. */
    record Neighbour(String id, List<ComparisonKey.Difference> differences) {
        String text(String first) {
            return differences.isEmpty()
                    ? "not every fact of both machines is known"
                    : differences.stream().map(one -> one.text(first, id)).collect(Collectors.joining("; "));
        }
    }

    Neighbour neighbour(KeyGroup other) {
        return new Neighbour(other.key.id(), key.differences(other.key));
    }

    /** Returns the keys of other groups, those with the fewest differences first. */
    List<Neighbour> neighbours(List<KeyGroup> all) {
        return all.stream()
                .map(this::neighbour)
                .filter(other -> !other.id().equals(key.id()))
                .sorted(Comparator.comparing(other -> other.differences().size()))
                .toList();
    }

    /** A change of level in one series of a group. */
    record FoundChange(KeyGroup group, RunTrend trend, SeriesChange found) {
        static final Comparator<FoundChange> NEWEST_FIRST =
                Comparator.comparing(FoundChange::run).reversed().thenComparing(FoundChange::series);

        String run() {
            return trend.runs().get(found.change().at()).run();
        }

        String series() {
            return trend.name() + " " + found.series().name();
        }

        String sentence() {
            return trend.name() + " " + new TrendReport(trend).sentence(found);
        }

        String cause() {
            return new TrendReport(trend).cause(found.change());
        }
    }
}
