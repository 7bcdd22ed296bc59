package weir.feature.http;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.SortedMap;
import weir.judge.ProbeSeries;
import weir.judge.TrialFiles;
import weir.judge.caveat.CaveatCollector;
import weir.judge.caveat.FeatureCaveats;
import weir.judge.caveat.RunCaveats;
import weir.measure.Count;
import weir.measure.Known;
import weir.measure.Median;
import weir.plan.syntax.CaveatType;
import weir.results.value.Event;
import weir.results.value.NumberFormat;
import weir.results.value.TrialEnd;
import weir.results.value.TrialResult;

/** The caveats about HTTP servers and the connections to them. */
final class HttpCaveats implements FeatureCaveats {
    private static final CaveatType SERVERS_TAKEN_OUT = CaveatType.named("servers-taken-out");
    private static final CaveatType CONNECTIONS_NOT_KEPT = CaveatType.named("connections-not-kept");
    private static final CaveatType SLOW_PATH = CaveatType.named("slow-path");

    private static final double KEPT = 0.1;
    private static final double TENTH = 0.1;

    @Override
    public void ofTrial(TrialFiles files, TrialResult result, CaveatCollector caveats) {
        List<Event> out = files.folder().events().stream()
                .filter(event ->
                        event.name().endsWith(Event.SERVERS) && !event.text().contains(" is UP"))
                .toList();
        if (!out.isEmpty()) {
            Event first = out.get(0);
            String more = out.size() > 1 ? ", and " + (out.size() - 1) + " more such events" : "";
            caveats.add(SERVERS_TAKEN_OUT, first.name(), first.second(), first.text(), more);
        }
        if (!result.steps().isEmpty()) {
            connections(files, result, caveats);
        }
    }

    private static void connections(TrialFiles files, TrialResult result, CaveatCollector caveats) {
        ProbeSeries readings = files.readings();
        TrialEnd.Measured measured = files.end().measured();
        SortedMap<Long, Double> totals =
                readings.sums("client", "producer.connection-creation-total", measured.from(), measured.to());
        double opened = totals.isEmpty()
                ? 0
                : Objects.requireNonNull(totals.get(totals.lastKey()))
                        - Objects.requireNonNull(totals.get(totals.firstKey()));
        double perRequest = readings.mean("client", "producer.records-per-request-avg", measured.from(), measured.to());
        double requests = result.figures().orZero(Count.ACKED) / perRequest;
        if (requests > 0 && opened > requests * KEPT) {
            double retransmitted = files.conditions().hosts().stream()
                    .flatMap(host ->
                            readings
                                    .sums(host.source(), "tcp.retransmits", measured.from(), measured.to())
                                    .values()
                                    .stream())
                    .mapToDouble(Double::doubleValue)
                    .sum();
            caveats.add(CONNECTIONS_NOT_KEPT, opened, requests, retransmitted);
        }
    }

    /** Two paths through HTTP servers differ by the servers' cost; a fault costs far more. */
    @Override
    public void ofRun(RunCaveats run) {
        for (List<String> pair : run.pairs()) {
            List<String> slowest = new ArrayList<>(pair);
            slowest.sort(Comparator.comparingDouble(variant -> acked(variant, run.trials())));
            double slow = acked(slowest.get(0), run.trials());
            double fast = acked(slowest.get(1), run.trials());
            boolean bridged = run.experiment().variants().stream()
                    .filter(variant -> pair.contains(variant.name()))
                    .noneMatch(variant -> variant.bridge().none());
            if (bridged && slow < fast * TENTH) {
                run.caveats()
                        .add(
                                SLOW_PATH,
                                slowest.get(0),
                                NumberFormat.rate(slow),
                                slowest.get(1),
                                NumberFormat.rate(fast));
            }
        }
    }

    private static double acked(String variant, List<TrialResult> trials) {
        return Known.orNaN(Median.of(
                trials.stream().filter(trial -> trial.variant().equals(variant)).toList(),
                trial -> trial.figures().ackedPerSecond()));
    }
}
