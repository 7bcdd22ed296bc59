package weir.plan;

import java.util.Arrays;

/** Kafka releases in order. */
public final class Releases {
    public static final String OLDEST = "2.7.0";
    /** From here on KRaft is ready for production; older releases are started with a ZooKeeper. */
    public static final String KRAFT = "3.3.0";

    private Releases() {}

    /** Compares two releases such as 3.9.2 and 4.3.1 number by number. */
    public static int compare(String a, String b) {
        return Arrays.compare(numbers(a), numbers(b));
    }

    private static int[] numbers(String release) {
        return Arrays.stream(release.split("\\.")).mapToInt(Integer::parseInt).toArray();
    }
}
