package weir.feature.partitions;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import weir.feature.partitions.PartitionsResult.PartitionTrial;
import weir.judge.Capacities;
import weir.results.value.Attempt;
import weir.results.value.CapacityResult;
import weir.results.value.NumberFormat;

/** The numbers of partitions that searches found, in words. */
public final class SearchAnswers {
    private SearchAnswers() {}

    public static List<List<String>> sentences(List<PartitionsResult> found) {
        return found.stream()
                .flatMap(result -> sentences(result, found.size() > 1 ? NumberFormat.quoted(result.of()) + ": " : ""))
                .toList();
    }

    private static Stream<List<String>> sentences(PartitionsResult result, String of) {
        if (result.low() == null) {
            return Stream.of(
                    List.of(of + "How many partitions carry " + result.target() + " is not known: " + result.reason()));
        }
        List<String> sentences = new ArrayList<>();
        // A file may give a rate in operations or bytes; everything else here counts operations.
        boolean bytes = result.target().endsWith("B/s");
        String target = result.target() + (bytes ? " (" + NumberFormat.rate(result.rate()) + ")" : "");
        sentences.add(
                result.partitions() == null
                        ? "More than " + plural(result.low() - 1) + " would be needed for " + target
                        : target + " needs " + plural(result.partitions()) + " " + interval(result));
        CapacityResult one = result.producing();
        sentences.add("one takes " + NumberFormat.rate(one.rate()) + " " + Capacities.interval(one)
                + (result.consuming() == null
                        ? ""
                        : ", and a consumer reads " + NumberFormat.rate(result.consuming()) + " of it"));
        String tried = tried(result);
        if (!tried.isEmpty()) {
            sentences.add(tried);
        }
        if (!result.reason().isEmpty()) {
            sentences.add(result.reason());
        }
        sentences.set(0, of + sentences.get(0));
        // If the machine is the limit, the reason already says so.
        String added = result.calculated() && !result.adds() ? "" : added(result);
        return added.isEmpty() ? Stream.of(sentences) : Stream.of(sentences, List.of(added));
    }

    /** Formats {@code 31 [29, 33]}, with a question mark for an unknown end. */
    public static String number(PartitionsResult result) {
        return end(result.partitions()) + " " + interval(result);
    }

    public static String interval(PartitionsResult result) {
        return "[" + end(result.low()) + ", " + end(result.high()) + "]";
    }

    private static String end(@Nullable Integer number) {
        return number == null ? "?" : NumberFormat.count((long) number);
    }

    private static String tried(PartitionsResult result) {
        List<PartitionTrial> trials = result.carrying();
        Double share = result.share();
        if (trials.isEmpty() || share == null) {
            return "";
        }
        String numbers = trials.stream()
                .map(PartitionTrial::partitions)
                .distinct()
                .sorted()
                .map(number -> number + came(trials, number))
                .collect(Collectors.joining(", "));
        return share == 1
                ? "tried, " + numbers
                : "tried at " + NumberFormat.share(share) + " of it, " + NumberFormat.rate(result.rate() * share)
                        + ", which is what fits here: " + numbers;
    }

    private static String came(List<PartitionTrial> trials, int partitions) {
        if (PartitionTrial.held(trials, partitions)) {
            return " sustained it";
        }
        return PartitionTrial.count(trials, partitions, Attempt.Outcome.REFUSED) > 0
                ? " did not"
                : " were not offered it on time";
    }

    private static String added(PartitionsResult result) {
        PartitionTrial many = result.most();
        Double times = result.timesOfOne();
        return many == null || times == null
                ? ""
                : "As fast as they go, " + plural(many.partitions()) + " carry " + NumberFormat.times(times)
                        + " what one does";
    }

    private static String plural(int partitions) {
        return partitions == 1 ? "1 partition" : NumberFormat.count((long) partitions) + " partitions";
    }
}
