package weir.load.wire;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import weir.load.Inbox;
import weir.wire.Fault;
import weir.wire.FetchResponse;
import weir.wire.Frame;

/** What a reader does with each answer: looks where it goes on, asks for that, and then reads. */
final class Fetches implements AutoCloseable {
    private static final long MILLI = 1_000_000;

    private final FetchSettings settings;
    private final Sources sources;
    private final Strays strays;
    private final Tally tally;
    private final Intake intake;
    /** What an answer was about, in its order. */
    private final List<Reading> told = new ArrayList<>();

    Fetches(FetchSettings settings, Sources sources, Strays strays, Intake intake, Tally tally) {
        this.settings = settings;
        this.sources = sources;
        this.strays = strays;
        this.tally = tally;
        this.intake = intake;
    }

    void answered(Source source, Frame frame, Inbox inbox, long now) throws IOException {
        if (!source.begin(frame, now)) {
            refused(source, now);
            return;
        }
        FetchResponse response = source.response();
        tally.add(Tally.Count.REQUESTS, 1);
        tally.add(Tally.Count.BYTES, frame.size());
        tally.add(Tally.Count.LATENCY_NANOS, source.tookNanos(now));
        tally.add(Tally.Count.THROTTLE_MILLIS, response.throttleMillis());
        boolean open = inbox.open();
        told.clear();
        while (response.next()) {
            Reading one = source.answered(told.size());
            told.add(one);
            // What was not wanted, or what nobody wants just now, is asked for again.
            one.wanted = open && one.asked == one.next && one.source == source;
            if (one.wanted) {
                look(response, one, inbox, now);
            }
        }
        if (open) {
            sources.ask(source, now);
        }
        // The next request may be about others than this answer: one that moved is not asked for there again.
        source.again(frame);
        for (int i = 0; response.next(); i++) {
            Reading one = told.get(i);
            if (one.wanted && response.recordsBytes() > 0) {
                try {
                    intake.read(response, one, inbox);
                } catch (IOException e) {
                    throw in(one, e);
                }
            }
        }
    }

    private static IOException in(Reading one, IOException e) {
        return new IOException("partition " + one.partition + ": " + e.getMessage(), e);
    }

    /** Finds out where the partition goes on. */
    private void look(FetchResponse response, Reading one, Inbox inbox, long now) throws IOException {
        if (response.partitionError() != 0) {
            one.wanted = false;
            trouble(Fault.of(response.partitionError()), one, now);
        } else if (response.divergingEnd() >= 0) {
            // The log has lost what was read here, and may have other records at these offsets: those are read, too.
            one.wanted = false;
            one.lastEpoch = Reading.UNKNOWN;
            one.goOn(Math.min(one.next, response.divergingEnd()), inbox);
        } else {
            try {
                intake.walk(response, one);
            } catch (IOException e) {
                throw in(one, e);
            }
        }
    }

    /** The answer as a whole is an error: mostly, the broker has forgotten the session. */
    private void refused(Source source, long now) throws IOException {
        Fault fault = Fault.of(source.response().error());
        boolean session = fault.is(Fault.Known.FETCH_SESSION_ID_NOT_FOUND)
                || fault.is(Fault.Known.INVALID_FETCH_SESSION_EPOCH)
                || fault.is(Fault.Known.FETCH_SESSION_TOPIC_ID_ERROR);
        if (!session && !fault.retriable() && !fault.moved()) {
            throw new IOException("it refuses to be fetched from: " + fault.name() + ", " + fault.message());
        }
        source.pause(now, session ? 0 : settings.pauseMillis());
        if (!session) {
            sources.outdated();
        }
    }

    private void trouble(Fault fault, Reading one, long now) throws IOException {
        one.pausedNanos = now + settings.pauseMillis() * MILLI;
        if (fault.is(Fault.Known.OFFSET_OUT_OF_RANGE)) {
            strays.add(one);
        } else if (fault.moved()) {
            sources.outdated();
        } else if (!fault.retriable() || fault.is(Fault.Known.CORRUPT_MESSAGE)) {
            throw new IOException(
                    "partition " + one.partition + " cannot be fetched: " + fault.name() + ", " + fault.message());
        }
    }

    @Override
    public void close() {
        intake.close();
    }
}
