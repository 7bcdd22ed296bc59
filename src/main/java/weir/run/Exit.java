package weir.run;

import java.util.Collection;
import weir.cluster.ClusterUnavailable;
import weir.results.Unwritable;
import weir.results.value.ExpectResult;
import weir.worker.WorkerFailed;

/** The exit codes of the process; of several, the one declared first wins. */
public enum Exit {
    OUR_FAULT(1, "Weir failed, or a part that it needs failed during the run"),
    USAGE(2, "the command line or a file is wrong; nothing was started"),
    PREFLIGHT(3, "this machine or cluster cannot run the experiment; nothing was measured"),
    BROKEN_PROMISE(5, "Kafka broke a promise: it lost acknowledged messages, tore a transaction, or a broker died"),
    INVALID(
            4,
            "the numbers are invalid, or incomplete because a trial failed; or a gate was inconclusive; or with"
                    + " --strict the run is suspect"),
    EXPECTATION_FAILED(99, "an expectation failed or is undecided"),
    REGRESSION(98, "a figure is worse by more than --tolerance, or since a change that --gate found"),
    INTERRUPTED(130, "Ctrl-C ended the run; SIGTERM gives 143"),
    FINE(0, "fine");

    private final int code;
    private final String meaning;

    Exit(int code, String meaning) {
        this.code = code;
        this.meaning = meaning;
    }

    public String meaning() {
        return meaning;
    }

    public int code() {
        return code;
    }

    /** The exit code of a failed trial; a failure that neither a cluster nor a disk caused is our fault. */
    static Exit of(RuntimeException failure, boolean disturbed) {
        if (Unwritable.reason(failure).isPresent()
                || failure instanceof ClusterUnavailable
                || failure instanceof WorkerFailed) {
            return INVALID;
        }
        return failure instanceof BrokersGone && !disturbed ? BROKEN_PROMISE : OUR_FAULT;
    }

    /** The exit code of expectations; undecided is no better than failed. */
    static Exit of(Collection<ExpectResult> expectations) {
        return expectations.stream().allMatch(ExpectResult::passed) ? FINE : EXPECTATION_FAILED;
    }

    /** The worst of them; {@link #FINE} when there are none. */
    public static Exit worst(Collection<Exit> exits) {
        return exits.stream().min(Enum::compareTo).orElse(FINE);
    }
}
