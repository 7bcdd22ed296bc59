package weir.feature.maintenance;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import weir.judge.ProbeSeries;
import weir.judge.trial.JudgedTrial;
import weir.measure.Known;
import weir.measure.Median;
import weir.report.RunView;
import weir.report.block.Block;
import weir.report.block.Table;
import weir.results.value.DisturbanceResult;
import weir.results.value.NumberFormat;

/** The figures of second loads, from the readings of their trials to the report. */
final class SecondLoads {
    private SecondLoads() {}

    /** One second load in one trial. */
    private record Trial(DisturbanceResult load, ProbeSeries readings) {
        @Nullable Double figure(String metric) {
            return Known.of(readings.last(SecondLoadRun.source(load.name()), metric, 0, Double.MAX_VALUE));
        }
    }

    static List<SecondLoadResult> of(List<JudgedTrial> trials) {
        Map<List<String>, List<Trial>> all = new LinkedHashMap<>();
        for (JudgedTrial trial : trials) {
            ProbeSeries readings =
                    ProbeSeries.of(trial.folder(), (source, metric) -> source.endsWith(SecondLoadRun.source("")));
            trial.result().disturbances().stream()
                    .map(load -> new Trial(load, readings))
                    .filter(one -> one.figure(SecondLoadRun.ACKED) != null)
                    .forEach(one -> all.computeIfAbsent(
                                    List.of(trial.result().variant(), one.load().name()), none -> new ArrayList<>())
                            .add(one));
        }
        List<SecondLoadResult> results = new ArrayList<>();
        all.forEach((key, loads) -> results.add(result(key.get(0), loads)));
        return results;
    }

    private static SecondLoadResult result(String variant, List<Trial> loads) {
        DisturbanceResult first = loads.get(0).load();
        return new SecondLoadResult(
                variant,
                first.name(),
                first.what(),
                loads.size(),
                median(loads, SecondLoadRun.DUE),
                median(loads, SecondLoadRun.ACKED),
                median(loads, SecondLoadRun.BYTES),
                median(loads, SecondLoadRun.P50),
                median(loads, SecondLoadRun.P99),
                median(loads, SecondLoadRun.RECEIVED),
                median(loads, SecondLoadRun.E2E),
                loads.stream()
                        .mapToLong(load -> Math.round(Known.orZero(load.figure(SecondLoadRun.FAILED))))
                        .sum(),
                median(loads, SecondLoadRun.THROTTLE));
    }

    private static @Nullable Double median(List<Trial> loads, String metric) {
        return Median.of(loads, load -> load.figure(metric));
    }

    static List<Block> page(RunView run) {
        List<SecondLoadResult> all = run.result().models(SecondLoadResult.class);
        return all.isEmpty()
                ? List.of()
                : List.of(
                        Block.note("The load that Weir added to the cluster for a while, from processes of its own. Its"
                                + " records are in no other figure of this report. All figures are medians of the"
                                + " trials; failed is their sum."),
                        table(all).as("t-second-loads", "Each second load"));
    }

    static List<Block> brief(RunView run) {
        List<SecondLoadResult> all = run.result().models(SecondLoadResult.class);
        return all.isEmpty() ? List.of() : List.of(Block.GAP, table(all).table());
    }

    private static Table.Columns<SecondLoadResult> table(List<SecondLoadResult> all) {
        Table.Columns<SecondLoadResult> table = Table.of(2, all)
                .column("", SecondLoadResult::variant)
                .column("second load", one -> one.load() + ": " + one.what())
                .column("offered/s", one -> NumberFormat.rate(one.due()))
                .column("acked/s", one -> NumberFormat.rate(one.acked()))
                .column("MiB/s", one -> NumberFormat.number(one.mebibytes()))
                .column("response p50", one -> NumberFormat.millis(one.p50()))
                .column("p99", one -> NumberFormat.millis(one.p99()));
        if (all.stream().anyMatch(one -> one.received() != null)) {
            table.column("received/s", one -> NumberFormat.rate(one.received()))
                    .column("e2e p99", one -> NumberFormat.millis(one.e2e()));
        }
        return table.column("failed", one -> NumberFormat.count(one.failed()))
                .column("throttle", one -> NumberFormat.millis(one.throttle()));
    }
}
