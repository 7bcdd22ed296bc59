package weir.run;

import java.time.Instant;
import java.util.List;
import weir.cluster.NodeDeath;
import weir.measure.Balance;
import weir.measure.Steps;
import weir.plan.Property;
import weir.worker.Drained;
import weir.worker.Finished;
import weir.worker.PhaseEnd;

/**
 * All that a finished trial leaves in memory, for its figures to be made of.
 *
 * @param backlog whether what is read was written before it was measured
 * @param settled whether the load was steady when the warm-up ended, where that was asked for
 * @param stopReason empty for a trial that ran to its end
 * @param wallMillis the length of the trial by the wall clock, {@code steadyMillis} that by the steady one
 */
public record TrialOutcome(
        Instant startedAt,
        boolean backlog,
        TrialRecorder tally,
        PhaseEnd measured,
        Drained drained,
        Finished finished,
        Usage generator,
        boolean settled,
        double warmedUpSeconds,
        String stopReason,
        List<NodeDeath> deaths,
        List<Property> properties,
        double wallMillis,
        double steadyMillis) {
    /** What the generator used in the measured phase. */
    record Usage(double cpuSeconds, double rssMib) {}

    public int lastStep() {
        return measured.steps().get(measured.steps().size() - 1).step();
    }

    /** A backlog is written before the steps that read it, so its account is that of all steps. */
    public Balance balance(int first, int last) {
        return backlog
                ? finished.ledger().balance(Steps.FILL, lastStep())
                : finished.ledger().balance(first, last);
    }

    public Balance balance() {
        return balance(Steps.MEASURE, lastStep());
    }
}
