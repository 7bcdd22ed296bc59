package weir.load.wire;

import java.util.function.UnaryOperator;
import weir.wire.FetchRequest;

/**
 * The settings of a reader's fetches.
 *
 * @param partitionBytes the most bytes of one partition in an answer, unless one batch is larger
 * @param headersOnly true to count records by their batches' headers
 * @param timeoutMillis the limit of an answer, in addition to the broker's own wait
 * @param pauseMillis the pause before the retry of a refused fetch
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
