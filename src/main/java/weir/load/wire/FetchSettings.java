package weir.load.wire;

import java.util.function.UnaryOperator;
import weir.wire.FetchRequest;

/**
 * The settings of a reader's fetches.
 *
 * @param partitionBytes limit of the bytes of one partition in an answer; one batch may exceed the limit
 * @param headersOnly true to count records by the headers of their batches
 * @param timeoutMillis limit of the wait for an answer, in addition to {@code fetch.max.wait.ms}
 * @param pauseMillis pause before a refused fetch is sent again
 */
record FetchSettings(
        FetchRequest.Limits limits,
        int partitionBytes,
        boolean checkCrcs,
        boolean headersOnly,
        int timeoutMillis,
        int pauseMillis,
        Reset reset) {
    enum Reset {
        EARLIEST,
        LATEST,
        NONE
    }

    static FetchSettings of(UnaryOperator<String> properties, boolean headersOnly) {
        return new FetchSettings(
                new FetchRequest.Limits(
                        Integer.parseInt(properties.apply("fetch.max.wait.ms")),
                        Integer.parseInt(properties.apply("fetch.min.bytes")),
                        Integer.parseInt(properties.apply("fetch.max.bytes")),
                        properties.apply("isolation.level").equals("read_committed")),
                Integer.parseInt(properties.apply("max.partition.fetch.bytes")),
                Boolean.parseBoolean(properties.apply("check.crcs")),
                headersOnly,
                Integer.parseInt(properties.apply("request.timeout.ms")),
                Integer.parseInt(properties.apply("retry.backoff.ms")),
                reset(properties.apply("auto.offset.reset")));
    }

    private static Reset reset(String policy) {
        return switch (policy) {
            case "earliest" -> Reset.EARLIEST;
            case "latest" -> Reset.LATEST;
            case "none" -> Reset.NONE;
            default ->
                throw new IllegalArgumentException(
                        "auto.offset.reset: '" + policy + "' is not one of earliest, latest, none");
        };
    }
}
