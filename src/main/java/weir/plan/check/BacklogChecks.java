package weir.plan.check;

import java.util.List;
import weir.plan.BacklogSpec;
import weir.plan.EnumNames;
import weir.plan.LoadSpec;
import weir.plan.MeasureSpec;
import weir.plan.TransactionSpec;
import weir.plan.Variant;
import weir.plan.syntax.ProblemSpot;

/** Checks that a backlog is read by somebody, and that what is dropped from the page cache is ours to drop. */
record BacklogChecks(ProblemSpot spot, String path, LoadSpec load, Variant variant) {
    private static final List<LoadSpec.Workload> READING =
            List.of(LoadSpec.Workload.CONSUME, LoadSpec.Workload.DELIVER, LoadSpec.Workload.STREAM);

    void check() {
        if (!(load.backlog() instanceof BacklogSpec.None)) {
            backlog();
        }
        if (!variant.before().isEmpty()) {
            droppable("before", "drop caches");
        }
    }

    private void backlog() {
        if (!READING.contains(load.workload())) {
            spot.wrong(
                    path + ".backlog",
                    "the workload " + EnumNames.of(load.workload())
                            + " has no reader, and only consume, deliver and stream read a backlog");
        }
        if (load.producers().count() == 0) {
            spot.wrong(path + ".producers", "a backlog needs a producer that writes it");
        }
        if (load.catchesUp()) {
            catchUp();
        }
        if (load.backlog().cold()) {
            droppable(path + ".backlog", "cache: cold");
        }
    }

    private void catchUp() {
        if (!(load.transaction() instanceof TransactionSpec.None)) {
            spot.wrong(
                    path + ".transaction",
                    "deliver writes its backlog without transactions; leave out one of them, or read the backlog with"
                            + " stream");
        }
        if (variant.measure() instanceof MeasureSpec.Operations) {
            spot.wrong(
                    "measure",
                    "how long catching up takes is not known before; write how long to watch, as in measure: 60s");
        }
    }

    private void droppable(String where, String what) {
        if (load.target() == LoadSpec.Target.NULL) {
            spot.wrong(where, "'" + what + "' needs brokers, and target null has none");
        } else if (variant.cluster().placed().elsewhere()) {
            spot.wrong(
                    where,
                    "'" + what + "' drops the files of brokers on this machine; leave it out, or write cluster:"
                            + " { placed: here }");
        } else if (!variant.cluster().here()) {
            spot.wrong(
                    where,
                    "'" + what + "' drops the files of brokers that are started here; those of a given cluster are out"
                            + " of reach, so leave it out, or drop them there by hand");
        }
    }
}
