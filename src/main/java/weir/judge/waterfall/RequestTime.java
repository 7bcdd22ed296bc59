package weir.judge.waterfall;

import java.util.List;

/** A time that brokers take of each request: its stages, in the order in which it passes them, and two others. */
public enum RequestTime {
    REQUEST_QUEUE("request.queue", "request queue"),
    LOCAL("local", "local"),
    REMOTE("remote", "remote"),
    RESPONSE_QUEUE("response.queue", "response queue"),
    RESPONSE_SEND("response.send", "response send"),
    /** From its first byte to the last one of its answer. */
    TOTAL("total", "total"),
    /** The time for which its client was told to wait for a quota; it is in no stage, and not in the total. */
    THROTTLE("throttle", "throttle");

    public static final List<RequestTime> STAGES = List.of(REQUEST_QUEUE, LOCAL, REMOTE, RESPONSE_QUEUE, RESPONSE_SEND);

    private final String part;
    private final String word;

    RequestTime(String part, String word) {
        this.part = part;
        this.word = word;
    }

    String part() {
        return part;
    }

    /** Its name in reports. */
    public String word() {
        return word;
    }
}
