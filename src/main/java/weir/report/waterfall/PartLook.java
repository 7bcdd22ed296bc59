package weir.report.waterfall;

import weir.judge.waterfall.RequestTime;
import weir.judge.waterfall.WaterfallPart;

/** The colours of parts and stages: a stage has the same one wherever it is drawn. */
final class PartLook {
    private PartLook() {}

    static String of(WaterfallPart part) {
        return switch (part) {
            case LATE -> "c4";
            case BACKPRESSURE -> "c5";
            case BLOCKED -> "c2";
            case REST, REQUEST -> "c1 pale";
            case CLIENT, CLIENT_AND_NETWORK -> "c8";
            case NETWORK -> "c3";
            case REQUEST_QUEUE -> of(RequestTime.REQUEST_QUEUE);
            case LOCAL -> of(RequestTime.LOCAL);
            case REMOTE -> of(RequestTime.REMOTE);
            case RESPONSE_QUEUE -> of(RequestTime.RESPONSE_QUEUE);
            case RESPONSE_SEND -> of(RequestTime.RESPONSE_SEND);
            case IN_NO_STAGE -> "c8 pale";
            case NOT_ACKED -> "c4 pale";
        };
    }

    static String of(RequestTime time) {
        return switch (time) {
            case REQUEST_QUEUE -> "c6";
            case LOCAL -> "c1";
            case REMOTE -> "c7";
            case RESPONSE_QUEUE -> "c6 pale";
            case RESPONSE_SEND -> "c3 pale";
            case TOTAL, THROTTLE -> "c8";
        };
    }
}
