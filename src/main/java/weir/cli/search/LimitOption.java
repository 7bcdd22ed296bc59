package weir.cli.search;

import java.util.List;
import picocli.CommandLine.Option;
import weir.cli.perf.PerfPlan;

/** The limits that a rate has to keep. */
final class LimitOption {
    @Option(
            names = "--limit",
            paramLabel = "LIMIT",
            description = "A limit to keep, such as 'response p99 < 50ms'. May be given several times.")
    private List<String> given = List.of();

    List<String> given() {
        return given;
    }

    /** Puts them into the section of a search. */
    void add(PerfPlan plan) {
        if (!given.isEmpty()) {
            plan.add("    limits:");
            given.forEach(limit -> plan.add("      - " + PerfPlan.quoted(limit), "--limit " + limit));
        }
    }
}
