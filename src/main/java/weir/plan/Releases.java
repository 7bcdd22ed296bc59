package weir.plan;

import java.util.Arrays;

/** The order of Kafka releases. */
public final class Releases {
    public static final String OLDEST = "2.7.0";
    /** The first release in which KRaft is ready for production. Weir starts older releases with ZooKeeper. */
    public static final String KRAFT = "3.3.0";

    private Releases() {}

    public static int compare(String a, String b) {
        return Arrays.compare(numbers(a), numbers(b));
    }

    private static int[] numbers(String release) {
        return Arrays.stream(release.split("\\.")).mapToInt(Integer::parseInt).toArray();
    }
}
