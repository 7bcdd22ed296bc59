package weir.judge.waterfall;

/** A kind of request whose stages brokers time. */
public enum RequestKind {
    PRODUCE("produce", "produce", "remote: replication, check of the transaction", "producer.request-latency-avg"),
    FETCH("fetch.consumer", "fetch of a consumer", "remote: waiting for data", "consumer.fetch-latency-avg"),
    REPLICATION("fetch.follower", "fetch of a follower", "remote: waiting for data", "");

    static final String PREFIX = "request.";

    private final String part;
    private final String word;
    private final String remote;
    private final String client;

    RequestKind(String part, String word, String remote, String client) {
        this.part = part;
        this.word = word;
        this.remote = remote;
        this.client = client;
    }

    /** Its name in reports. */
    public String word() {
        return word;
    }

    /** The stage {@link RequestTime#REMOTE}, and what the brokers wait for in it. */
    public String remote() {
        return remote;
    }

    /** The metric in which clients tell how long such requests took them; empty where they are no clients. */
    String client() {
        return client;
    }

    String count() {
        return PREFIX + part + ".count";
    }

    String metric(RequestTime time, String figure) {
        return PREFIX + part + "." + time.part() + "." + figure + ".ms";
    }
}
