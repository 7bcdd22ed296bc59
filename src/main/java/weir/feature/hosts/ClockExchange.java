package weir.feature.hosts;

import weir.worker.link.ClockOffset;

/**
 * One question for the time and its answer, by the clocks of both ends. The answer left after the question arrived,
 * and neither took negative time, so the offset of the clock there lies between two bounds.
 *
 * @param askedNanos here, when the question left
 * @param heardNanos there, when it arrived
 * @param answeredNanos there, when the answer left
 * @param toldNanos here, when that arrived
 */
public record ClockExchange(long askedNanos, long heardNanos, long answeredNanos, long toldNanos) {
    /** The travel time of both messages; a clock that jumped meanwhile can make it negative. */
    long roundTripNanos() {
        return toldNanos - askedNanos - (answeredNanos - heardNanos);
    }

    ClockOffset offset() {
        long roundTrip = roundTripNanos();
        return new ClockOffset(answeredNanos - toldNanos + roundTrip / 2, (roundTrip + 1) / 2);
    }
}
