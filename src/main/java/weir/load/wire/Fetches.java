package weir.load.wire;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import weir.load.engine.EngineCounters;
import weir.load.read.Inbox;
import weir.wire.BrokerError;
import weir.wire.FetchResponse;
import weir.wire.ResponseFrame;

/** Handles each answer to a reader: looks where it goes on, asks for that, and then reads. */
final class Fetches implements AutoCloseable {
    private static final long MILLI = 1_000_000;

    private final FetchSettings settings;
    private final FetchBrokers sources;
    private final OffsetResets resets;
    private final EngineCounters<WireCount> counters;
    private final PartitionRecordReader intake;
    /** The positions that an answer was about, in its order. */
    private final List<FetchPosition> told = new ArrayList<>();

    Fetches(
            FetchSettings settings,
            FetchBrokers sources,
            OffsetResets resets,
            PartitionRecordReader intake,
            EngineCounters<WireCount> counters) {
        this.settings = settings;
        this.sources = sources;
        this.resets = resets;
        this.counters = counters;
        this.intake = intake;
    }

    void answered(FetchBroker source, ResponseFrame frame, Inbox inbox, long now) throws IOException {
        if (!source.begin(frame, now)) {
            refused(source, now);
            return;
        }
        FetchResponse response = source.response();
        counters.add(WireCount.REQUESTS, 1);
        counters.add(WireCount.BYTES, frame.size());
        counters.add(WireCount.LATENCY_NANOS, source.tookNanos(now));
        counters.add(WireCount.THROTTLE_MILLIS, response.throttleMillis());
        boolean open = inbox.open();
        told.clear();
        while (response.next()) {
            FetchPosition one = source.answered(told.size());
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
            FetchPosition one = told.get(i);
            if (one.wanted && response.recordsBytes() > 0) {
                try {
                    intake.read(response, one, inbox);
                } catch (IOException e) {
                    throw in(one, e);
                }
            }
        }
    }

    private static IOException in(FetchPosition one, IOException e) {
        return new IOException("partition " + one.partition + ": " + e.getMessage(), e);
    }

    /** Finds out where the partition goes on. */
    private void look(FetchResponse response, FetchPosition one, Inbox inbox, long now) throws IOException {
        if (response.partitionError() != 0) {
            one.wanted = false;
            trouble(BrokerError.of(response.partitionError()), one, inbox, now);
        } else if (response.divergingEnd() >= 0) {
            // The log has lost what was read here, and may have other records at these offsets: those are read, too.
            one.wanted = false;
            one.lastEpoch = FetchPosition.UNKNOWN;
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
    private void refused(FetchBroker source, long now) throws IOException {
        BrokerError fault = BrokerError.of(source.response().error());
        boolean session = fault.is(BrokerError.Known.FETCH_SESSION_ID_NOT_FOUND)
                || fault.is(BrokerError.Known.INVALID_FETCH_SESSION_EPOCH)
                || fault.is(BrokerError.Known.FETCH_SESSION_TOPIC_ID_ERROR);
        if (!session && !fault.retriable() && !fault.moved()) {
            throw new IOException(
                    "it refuses to be fetched from: " + fault.name() + ", " + fault.message(), fault.exception());
        }
        source.pause(now, session ? 0 : settings.pauseMillis());
        if (!session) {
            sources.outdated();
        }
    }

    private void trouble(BrokerError fault, FetchPosition one, Inbox inbox, long now) throws IOException {
        one.pausedNanos = now + settings.pauseMillis() * MILLI;
        if (fault.is(BrokerError.Known.OFFSET_OUT_OF_RANGE)) {
            resets.add(one, inbox);
        } else if (fault.moved()) {
            sources.outdated();
        } else if (!fault.retriable() || fault.is(BrokerError.Known.CORRUPT_MESSAGE)) {
            throw new IOException(
                    "partition " + one.partition + " cannot be fetched: " + fault.name() + ", " + fault.message(),
                    fault.exception());
        }
    }

    @Override
    public void close() {
        intake.close();
    }
}
