package weir.load;

import java.time.Duration;
import java.util.List;
import weir.load.engine.Consuming;
import weir.load.engine.LogView;
import weir.load.engine.Producing;
import weir.load.read.Receiver;

/** An engine that only sends messages, unless a fake overrides more. */
public interface QuietEngine extends Producing, Consuming, LogView {
    @Override
    default int topics() {
        return 1;
    }

    @Override
    default long[] ends() {
        return new long[partitions().size()];
    }

    @Override
    default long[] logEnds() {
        return ends();
    }

    @Override
    default long[] ackedEnds(List<String> partitions) {
        return new long[partitions().size()];
    }

    @Override
    default long[] beginnings() {
        return new long[partitions().size()];
    }

    @Override
    default Receiver receiver(int reader, long[] from) {
        throw new AssertionError("nobody reads here");
    }

    @Override
    default Receiver verifier(List<Integer> partitions, long[] from) {
        throw new AssertionError("nobody reads here");
    }

    @Override
    default void awaitPositions(Duration limit) {}

    @Override
    default void report(Figures into) {}
}
