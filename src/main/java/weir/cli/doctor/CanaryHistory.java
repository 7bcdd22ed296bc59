package weir.cli.doctor;

import java.util.ArrayList;
import java.util.DoubleSummaryStatistics;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import weir.measure.Canary;
import weir.probe.Finding;
import weir.results.RunFolder;
import weir.results.UnreadableRunException;

/** The results of the machine benchmarks in earlier runs on the same machine. */
record CanaryHistory(int runs, List<Canary> canaries) {
    private static final int RUNS = 10;
    private static final int LOOKED_AT = 50;
    private static final List<String> SAME =
            List.of("cpu.model", "cpu.cores", "memory.mib", "kernel", "java.vm.version", "filesystem");

    static CanaryHistory of(List<RunFolder> folders, Map<String, String> facts) {
        List<Canary> canaries = new ArrayList<>();
        int runs = 0;
        for (RunFolder folder : folders.subList(0, Math.min(LOOKED_AT, folders.size()))) {
            List<Canary> sung = runs < RUNS ? sung(folder, facts) : List.of();
            canaries.addAll(sung);
            runs += sung.isEmpty() ? 0 : 1;
        }
        return new CanaryHistory(runs, canaries);
    }

    private static List<Canary> sung(RunFolder folder, Map<String, String> facts) {
        try {
            Map<String, String> then = folder.machine().facts();
            boolean same = SAME.stream().allMatch(fact -> Objects.equals(then.get(fact), facts.get(fact)));
            return same
                    ? Stream.concat(folder.canaries().before().stream(), folder.canaries().after().stream())
                            .toList()
                    : List.of();
        } catch (UnreadableRunException e) {
            // weir runs says which it is and why; here it only cannot be compared with.
            return List.of();
        }
    }

    Finding finding(List<Canary> now) {
        String name = "against earlier runs here";
        if (runs == 0) {
            return new Finding(name, "", Finding.Verdict.UNKNOWN, "there are none of this machine to compare with", "");
        }
        List<String> changed =
                now.stream().map(this::change).filter(text -> !text.isEmpty()).toList();
        String figure = "of " + runs + (runs == 1 ? " run" : " runs");
        return changed.isEmpty()
                ? new Finding(name, figure, Finding.Verdict.FINE, "the machine is as fast as it was", "")
                : new Finding(
                        name,
                        figure,
                        Finding.Verdict.DOUBT,
                        "the idle speed of the machine changed: " + String.join("; ", changed),
                        "look for other load; do not compare with those runs");
    }

    private String change(Canary now) {
        DoubleSummaryStatistics then = canaries.stream()
                .filter(canary ->
                        canary.name().equals(now.name()) && canary.unit().equals(now.unit()))
                .mapToDouble(Canary::median)
                .summaryStatistics();
        boolean less = now.median() * (1 + now.least()) < then.getMin();
        boolean more = now.median() > then.getMax() * (1 + now.least());
        return then.getCount() > 0 && (less || more)
                ? String.format(
                        Locale.ROOT,
                        "%s %.3g %s, then %.3g to %.3g",
                        now.name(),
                        now.median(),
                        now.unit(),
                        then.getMin(),
                        then.getMax())
                : "";
    }
}
