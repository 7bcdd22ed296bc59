package weir.plan;

import java.util.List;

/** A figure of a trial or a search, for expectations, limits and comparisons. */
public record Metric(String name, Kind kind, String unit, Known known, boolean moreIsBetter, List<Need> needs) {
    public Metric {
        needs = List.copyOf(needs);
    }

    public enum Kind {
        LATENCY(Known.DUE, "a percentile such as p99.9, mean, max"),
        LAG(Known.ALWAYS, "max, end"),
        COUNT(Known.MEASURED, ""),
        RATE(Known.ALWAYS, ""),
        SHARE(Known.DUE, ""),
        SPAN(Known.MEASURED, ""),
        SEARCH(Known.TRIAL, "");

        private final Known known;
        private final String statistics;

        Kind(Known known, String statistics) {
            this.known = known;
            this.statistics = statistics;
        }

        public Known known() {
            return known;
        }

        /** The statistics for an expectation; empty if the metric is one number. */
        public String statistics() {
            return statistics;
        }
    }

    public enum Known {
        /** Known for each phase and for each window in which an operation is due. */
        DUE,
        ALWAYS,
        MEASURED,
        TRIAL;

        public boolean byWindow() {
            return this == DUE || this == ALWAYS;
        }
    }

    public enum Need {
        SENDING,
        DELIVERING,
        READERS,
        READ_BACK,
        IDENTITY,
        STREAM,
        PARTS,
        TRANSACTIONS,
        BACKLOG,
        GROUP,
        WORK,
        SERIALIZED,
        DISTURBANCE,
        OPEN_LOOP,
        SHARE_GROUP;

        String lacking(Variant variant) {
            LoadSpec load = variant.load();
            LoadSpec.Workload workload = load.workload();
            boolean reads = workload == LoadSpec.Workload.DELIVER || workload == LoadSpec.Workload.CONSUME;
            boolean streams = workload == LoadSpec.Workload.STREAM;
            boolean transactions = !load.transaction().none();
            return switch (this) {
                case SENDING ->
                    unless(
                            workload != LoadSpec.Workload.CONSUME,
                            "the workload " + EnumNames.of(workload) + " only reads");
                case DELIVERING ->
                    unless(
                            workload == LoadSpec.Workload.DELIVER,
                            "only the workload deliver sends and reads at the same time");
                case READERS -> unless(reads, "the workload " + EnumNames.of(workload) + " has no reader");
                case READ_BACK ->
                    load.target() == LoadSpec.Target.NULL
                            ? "target null stores no records to read back"
                            : unless(reads || variant.verify() != Verify.FALSE, "verify: false reads no record back");
                case IDENTITY ->
                    unless(
                            variant.verify() != Verify.HEADERS,
                            "verify: headers counts records without reading their sequence numbers");
                case STREAM -> unless(streams, "only the workload stream reads its input");
                case PARTS -> unless(streams || transactions, "only transactions and streams have parts");
                case TRANSACTIONS -> unless(transactions, "this variant has no transactions");
                case SHARE_GROUP -> unless(load.consumers().group().shares(), "only a share group has deliveries");
                case BACKLOG -> unless(load.catchesUp(), "only deliver with a backlog has readers that catch up");
                case GROUP -> unless(load.consumers().group().named(), "the readers of this variant have no group");
                case WORK -> unless(!load.consumers().work().none(), "this variant has no load.work");
                case SERIALIZED ->
                    unless(load.messages().value().serialized(), "no serializer makes the values of this variant");
                case DISTURBANCE -> unless(!variant.during().isEmpty(), "this variant has no disturbance");
                case OPEN_LOOP -> unless(!load.rate().closed(), "a closed loop has no rate to achieve");
            };
        }

        private static String unless(boolean there, String why) {
            return there ? "" : why;
        }
    }

    /** The reason why a variant lacks this metric; empty if the variant has it. */
    public String lacking(Variant variant) {
        return needs.stream()
                .map(need -> need.lacking(variant))
                .filter(why -> !why.isEmpty())
                .findFirst()
                .orElse("");
    }
}
