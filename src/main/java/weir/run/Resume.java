package weir.run;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import weir.results.RequestedExperiment;
import weir.results.RunFolder;
import weir.results.RunLabels;

/** The check that new trials may be added to those of an earlier execution of the run. */
final class Resume {
    /** Facts that must be unchanged; others, such as free memory, always change. */
    private static final List<String> SAME =
            List.of("cpu.model", "cpu.cores", "memory.mib", "kernel", "java.vm.version", "filesystem");

    private Resume() {}

    static void check(RunFolder folder, RequestedExperiment asked, Map<String, String> facts, RunLabels labels) {
        List<String> changed = new ArrayList<>();
        RequestedExperiment before = folder.asked();
        if (!before.weir().equals(asked.weir())) {
            changed.add("Weir was " + before.weir() + " and is " + asked.weir());
        }
        if (!before.variants().equals(asked.variants()) || before.seed() != asked.seed()) {
            changed.add("the plan is another");
        }
        Map<String, String> then = folder.machine().facts();
        List<String> same = new ArrayList<>(SAME);
        facts.keySet().stream().filter(fact -> fact.startsWith(RunFacts.HASH)).forEach(same::add);
        for (String fact : same) {
            if (!then.isEmpty() && !Objects.equals(then.get(fact), facts.get(fact))) {
                changed.add(fact + " was '" + then.get(fact) + "' and is '" + facts.get(fact) + "'");
            }
        }
        // A label names the tested version, so it must be the same for all trials.
        Map<String, String> called = folder.labels().labels();
        labels.labels().forEach((name, now) -> {
            String was = called.getOrDefault(name, now);
            if (!was.equals(now)) {
                changed.add("the label " + name + " was '" + was + "' and is '" + now + "'");
            }
        });
        if (!changed.isEmpty()) {
            throw new PreflightException(
                    folder.path() + ": cannot be resumed, because " + String.join("; ", changed) + "; start a new run");
        }
    }
}
