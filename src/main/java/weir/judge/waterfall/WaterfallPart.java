package weir.judge.waterfall;

/** A part of the mean response to a message, in the order of its way. */
public enum WaterfallPart {
    LATE("late"),
    BACKPRESSURE("backpressure"),
    BLOCKED("blocked"),
    /** Everything after the send call for which nobody has a figure of its own. */
    REST("rest of service"),
    /** service − blocked − the client's request latency: waiting for a batch, for a connection, for a callback. */
    CLIENT("in the client"),
    /** The client's request latency, where the brokers do not tell their part of it. */
    REQUEST("request"),
    /** service − blocked − the brokers' total, where the client does not tell its request latency. */
    CLIENT_AND_NETWORK("client and network"),
    /** The client's request latency − the brokers' total. */
    NETWORK("network"),
    REQUEST_QUEUE("request queue"),
    LOCAL("local"),
    REMOTE("remote"),
    RESPONSE_QUEUE("response queue"),
    RESPONSE_SEND("response send"),
    /** The brokers' total − their stages. */
    IN_NO_STAGE("in no stage"),
    /** The rest of the mean response: what was never sent, failed or was never answered waited otherwise than what was acked. */
    NOT_ACKED("not acked");

    private final String word;

    WaterfallPart(String word) {
        this.word = word;
    }

    /** Its name in reports. */
    public String word() {
        return word;
    }

    static WaterfallPart of(RequestTime stage) {
        return valueOf(stage.name());
    }
}
