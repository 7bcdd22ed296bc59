package weir.run;

import java.util.Collection;
import weir.cluster.ClusterUnavailable;
import weir.results.UnwritableDisk;
import weir.results.value.ExpectResult;
import weir.worker.WorkerFailed;

/** The exit codes of the process. If several apply, the first one of this list wins. */
public enum Exit {
    OUR_FAULT(1),
    USAGE(2),
    PREFLIGHT(3),
    BROKEN_PROMISE(5),
    INVALID(4),
    EXPECTATION_FAILED(99),
    REGRESSION(98),
    INTERRUPTED(130),
    FINE(0);

    private final int code;

    Exit(int code) {
        this.code = code;
    }

    public int code() {
        return code;
    }

    /** The exit code of a failed trial. A failure counts as a fault of Weir unless a cluster or a disk caused it. */
    static Exit of(RuntimeException failure, boolean disturbed) {
        if (UnwritableDisk.reason(failure).isPresent()
                || failure instanceof ClusterUnavailable
                || failure instanceof WorkerFailed) {
            return INVALID;
        }
        return failure instanceof BrokersGone && !disturbed ? BROKEN_PROMISE : OUR_FAULT;
    }

    /** The exit code of expectations. An undecided expectation counts as failed. */
    static Exit of(Collection<ExpectResult> expectations) {
        return expectations.stream().allMatch(ExpectResult::passed) ? FINE : EXPECTATION_FAILED;
    }

    /** The worst of these exit codes; {@link #FINE} without exit codes. */
    public static Exit worst(Collection<Exit> exits) {
        return exits.stream().min(Enum::compareTo).orElse(FINE);
    }

    /** The exception for a trial that could not finish because all its brokers were gone. */
    static final class BrokersGone extends RuntimeException {
        private static final long serialVersionUID = 1;

        BrokersGone(RuntimeException cause) {
            super("no broker is left (" + cause.getMessage() + ")", cause);
        }
    }
}
