package weir.judge.waterfall;

/** A kind of request whose stages brokers time. */
public enum RequestKind {
    PRODUCE("produce", "produce", "remote: replication"),
    FETCH("fetch.consumer", "fetch of a consumer", "remote: waiting for data"),
    REPLICATION("fetch.follower", "fetch of a follower", "remote: waiting for data");

    static final String PREFIX = "request.";

    private final String part;
    private final String word;
    private final String remote;

    RequestKind(String part, String word, String remote) {
        this.part = part;
        this.word = word;
        this.remote = remote;
    }

    /** Its name in reports. */
    public String word() {
        return word;
    }

    /** The stage {@link RequestTime#REMOTE}, and what the brokers wait for in it. */
    public String remote() {
        return remote;
    }

    /** The metric of its requests since the look before. */
    String count() {
        return PREFIX + part + ".count";
    }

    String metric(RequestTime time, String figure) {
        return PREFIX + part + "." + time.part() + "." + figure + ".ms";
    }
}
