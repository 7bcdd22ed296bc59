package weir.feature.delivery;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import weir.judge.ProbeSeries;
import weir.judge.ProbeSeries.Growth;
import weir.measure.Known;
import weir.measure.LatencyKind;
import weir.results.value.Figures;
import weir.results.value.HopResult;
import weir.results.value.HopResult.Part;
import weir.results.value.LatencyResult;
import weir.results.value.StepResult;
import weir.results.value.TrialResult;

/**
 * The mean times of events on their path from due time to receiver. The age of an event is the time since it was due.
 * Each process reports the mean age at its checkpoints and the mean time of its work. A time between two processes,
 * such as the wait for Kafka, is the difference of two mean ages. If the same events pass all processes, the sum of the
 * means is the mean e2e.
 */
final class HopCalculation {
    private static final List<String> PROCESSES = List.of("source", "ingress", "channel", "filter");

    private final ProbeSeries readings;
    private final StepResult step;
    private final Figures figures;
    private final List<HopResult> hops = new ArrayList<>();

    private HopCalculation(ProbeSeries readings, StepResult step) {
        this.readings = readings;
        this.step = step;
        this.figures = step.figures();
    }

    static List<HopResult> of(ProbeSeries readings, TrialResult trial) {
        StepResult step = trial.slowestRising();
        return !trial.delivered() || step == null ? List.of() : new HopCalculation(readings, step).hops();
    }

    private List<HopResult> hops() {
        // Unsent and failed events did not pass this path.
        LatencyResult succeeded = figures.latency(LatencyKind.SUCCESS);
        LatencyResult response = succeeded.mean() == null ? figures.response() : succeeded;
        LatencyResult e2e = figures.e2e();
        Double arrived = e2e.mean();
        if (response.mean() == null || arrived == null) {
            return List.of();
        }
        double age = Known.orZero(figures.late().mean())
                + Known.orZero(figures.latency(LatencyKind.BACKPRESSURE).mean());
        add("sender", Part.BEFORE_SENDING, age, response.count());
        for (String process : PROCESSES) {
            Growth out = age(process, "out");
            if (out.count() > 0) {
                if (process.equals("source")) {
                    add("sender", Part.WRITING, response.mean() - age, response.count());
                    age = response.mean();
                }
                pass(process, age, out);
                age = out.mean();
            }
        }
        add("receiver", Part.ARRIVING, arrived - age, e2e.count());
        return hops;
    }

    private void pass(String process, double age, Growth out) {
        Growth in = age(process, "in");
        Growth fetched = age(process, "fetched");
        double begin = age;
        if (in.count() > 0) {
            add(process, Part.ARRIVING, in.mean() - age, in.count());
            begin = in.mean();
        }
        int before = hops.size();
        part(process, Part.ACCEPTING);
        part(process, Part.WRITING);
        double waitsFrom = known(age(process, "handed").mean(), begin);
        if (fetched.count() > 0) {
            double written = known(age(process, "acked").mean(), age);
            hops.add(new HopResult(
                    process, Part.FETCHING, fetched.mean() - written, fetched.count(), worst(process, Part.FETCHING)));
            waitsFrom = fetched.mean();
        }
        part(process, Part.FILTERING);
        part(process, Part.WAITING);
        if (hops.size() == before) {
            add(process, Part.INSIDE, out.mean() - begin, out.count());
        }
        Growth waited = growth(process, "part.waiting");
        // The count of retries includes events of all due times.
        Growth retried =
                readings.growth(process, "events.retried", "events.retried", step.from(), step.from() + step.seconds());
        if (retried.count() > 0 && waited.count() > 0) {
            add(process, Part.RETRYING, out.mean() - waitsFrom - waited.mean(), retried.count());
        }
    }

    private Growth age(String process, String checkpoint) {
        return growth(process, "age." + checkpoint);
    }

    /** Subtracts no earlier reading, because processes report only events due in the step. */
    private Growth growth(String process, String name) {
        return readings.growth(process, name + ".count", name + ".ms", -Double.MAX_VALUE, Double.MAX_VALUE);
    }

    private void part(String process, Part part) {
        Growth growth = growth(process, "part." + part.name().toLowerCase(Locale.ROOT));
        if (growth.count() > 0) {
            hops.add(new HopResult(process, part, growth.mean(), growth.count(), worst(process, part)));
        }
    }

    private @Nullable Double worst(String process, Part part) {
        return Known.of(readings.max(
                process,
                "part." + part.name().toLowerCase(Locale.ROOT) + ".p99.ms",
                step.from() - 0.5,
                Double.MAX_VALUE));
    }

    private void add(String hop, Part part, double mean, long count) {
        hops.add(new HopResult(hop, part, mean, count, null));
    }

    private static double known(double mean, double otherwise) {
        return Double.isNaN(mean) ? otherwise : mean;
    }
}
