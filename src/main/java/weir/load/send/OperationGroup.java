package weir.load.send;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import weir.load.send.Operator.OperationFailed;
import weir.measure.LatencyKind;

/**
 * Operations that end together, in one transaction or in one commit of a stream's offsets. The sender's thread owns and
 * reuses the group.
 *
 * <p>The measured parts of the group's time follow each other without gaps, except for waits for due operations. In a
 * group of one operation, the sum of the parts is exactly the service time.
 */
final class OperationGroup {
    private static final long GLANCE_NANOS = 1_000_000;

    private final Operator operator;
    private final OperationForm form;
    private final Outbox box;
    private final Operations maker;
    private final List<Operation> operations = new ArrayList<>();
    private boolean aborts;
    /** The time at which the group must end; {@link Long#MAX_VALUE} without a limit or an open group. */
    long openUntilNanos = Long.MAX_VALUE;

    long untilNanos;
    private long beginNanos;
    private long sendNanos;
    private long offsetsNanos;
    private int messages;
    private @Nullable OperationFailed failure;
    private boolean recovering;

    OperationGroup(Operator operator, OperationForm form, Outbox box, Operations maker) {
        this.operator = operator;
        this.form = form;
        this.box = box;
        this.maker = maker;
    }

    boolean empty() {
        return operations.isEmpty();
    }

    boolean full() {
        return form.full(operations.size(), messages);
    }

    void open(boolean onPurpose) {
        aborts = onPurpose;
        beginNanos = 0;
        sendNanos = 0;
        offsetsNanos = 0;
        messages = 0;
    }

    boolean add(Operation operation) {
        operations.add(operation);
        messages += operation.messages;
        untilNanos = operation.batch.sentNanos;
        boolean queued = false;
        try {
            if (operations.size() == 1) {
                long open = form.openNanos();
                openUntilNanos = open == Long.MAX_VALUE ? open : untilNanos + open;
                if (form.transactional()) {
                    box.ledger.transactions().began(operation.batch.first);
                    operator.begin();
                    beginNanos = lap();
                }
            }
            maker.send(operation);
            sendNanos += lap();
            maker.queued(operation, untilNanos);
            queued = true;
            if (form.stream() && form.offsetsEach()) {
                operator.offsets();
                offsetsNanos += lap();
            }
            box.dues().called(operation.batch.sentNanos, untilNanos);
            return true;
        } catch (OperationFailed why) {
            if (!queued) {
                maker.queued(operation, untilNanos);
            }
            box.dues().called(operation.batch.sentNanos, box.now());
            return failed(why);
        }
    }

    private long lap() {
        long now = box.now();
        long part = now - untilNanos;
        untilNanos = now;
        return part;
    }

    boolean end(long startNanos) {
        untilNanos = startNanos;
        try {
            if (form.stream() && !form.offsetsEach()) {
                operator.offsets();
                offsetsNanos += lap();
            }
            if (!form.transactional()) {
                awaitAnswers();
                sendNanos += lap();
                answered();
            } else if (aborts) {
                // The flush comes first: an abort drops unsent records, so brokers would abort fewer records.
                operator.flush();
                sendNanos += lap();
                operator.abort();
                aborted(lap());
            } else {
                operator.commit();
                committed(lap());
            }
            box.dues().called(startNanos, untilNanos);
            over();
            return !broken();
        } catch (OperationFailed why) {
            box.dues().called(startNanos, box.now());
            return failed(why);
        }
    }

    private void awaitAnswers() {
        for (Operation operation : operations) {
            while (!operation.isOver()) {
                LockSupport.parkNanos(this, GLANCE_NANOS);
            }
        }
    }

    private void answered() {
        boolean whole = true;
        for (Operation operation : operations) {
            whole &= operation.failure == null;
            box.outcomes().over(operation, untilNanos);
        }
        if (whole) {
            part(LatencyKind.SEND, sendNanos);
            part(LatencyKind.OFFSETS, offsetsNanos);
            part(LatencyKind.TRANSACTION, sendNanos + offsetsNanos);
        }
    }

    private void committed(long commitNanos) {
        operations.forEach(operation -> box.outcomes().acked(operation, untilNanos));
        box.ledger.transactions().committed();
        part(LatencyKind.BEGIN, beginNanos);
        part(LatencyKind.SEND, sendNanos);
        if (form.stream()) {
            part(LatencyKind.OFFSETS, offsetsNanos);
        }
        part(LatencyKind.COMMIT, commitNanos);
        part(LatencyKind.TRANSACTION, beginNanos + sendNanos + offsetsNanos + commitNanos);
    }

    private void aborted(long abortNanos) {
        operations.forEach(operation -> box.outcomes().aborted(operation, untilNanos));
        part(LatencyKind.ABORT, abortNanos);
        withdraw(true);
    }

    /** Rewinds a stream. Recovery repeats until a broker returns the stream's offsets. */
    private void withdraw(boolean onPurpose) {
        box.ledger.transactions().aborted(operations.get(0).batch.first, messages, onPurpose);
        if (!form.stream()) {
            return;
        }
        try {
            operator.source().rewind(false);
        } catch (OperationFailed unanswered) {
            failure = unanswered;
            recovering = true;
        }
    }

    private void part(LatencyKind metric, long nanos) {
        box.here.part(metric, operations.get(0).batch.step, untilNanos, nanos);
    }

    /** Returns true unless the group is broken. Without a transaction, acked messages stay and the stream continues. */
    private boolean failed(OperationFailed first) {
        OperationFailed why = first;
        if (!form.transactional()) {
            awaitAnswers();
            operations.forEach(operation -> box.outcomes().failed(operation, true, first.reason()));
            over();
            return true;
        }
        boolean withdrawn = false;
        if (why.kind() == OperationFailed.Kind.ABORT) {
            try {
                operator.abort();
                withdrawn = true;
            } catch (OperationFailed worse) {
                why = worse;
            }
        }
        operations.forEach(operation -> box.outcomes().failed(operation, false, first.reason()));
        if (withdrawn) {
            withdraw(false);
        } else {
            broke(why);
        }
        over();
        return !broken();
    }

    private void over() {
        operations.clear();
        openUntilNanos = Long.MAX_VALUE;
    }

    boolean broken() {
        return failure != null;
    }

    String failure() {
        OperationFailed why = failure;
        if (why == null) {
            return "";
        }
        String what = recovering
                ? "a producer that restarts got no answer and retries"
                : switch (why.kind()) {
                    case FENCED -> "a producer was fenced and restarts";
                    case TIMED_OUT -> "a transaction timed out and its producer restarts";
                    case ABORT, BROKEN -> "a transaction failed and its producer restarts";
                };
        return what + ": " + why.getMessage();
    }

    boolean recover() {
        try {
            operator.recover();
            if (form.stream()) {
                operator.source().rewind(true);
            }
            failure = null;
            recovering = false;
            return true;
        } catch (OperationFailed again) {
            // No transaction is open, so the failure is not a transaction timeout.
            failure = again;
            recovering = true;
            return false;
        }
    }

    private void broke(OperationFailed why) {
        failure = why;
        if (why.kind() == OperationFailed.Kind.FENCED) {
            box.ledger.transactions().fenced();
        } else if (why.kind() == OperationFailed.Kind.TIMED_OUT) {
            box.ledger.transactions().timedOut();
        }
    }
}
