package weir.run.lab;

import java.util.Collection;
import java.util.List;
import java.util.OptionalLong;
import java.util.SortedMap;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import weir.feature.Feature;
import weir.measure.Reading;

/** A way to read the metrics of brokers that Weir did not start, at addresses beside them. */
public interface GivenMetrics extends Feature.Part {
    /**
     * Why the metrics at some addresses cannot be read, or are not those of this cluster, by address. All are asked at once.
     *
     * @param brokers the addresses of the brokers of the cluster, by their numbers
     */
    SortedMap<String, String> refused(Collection<String> urls, SortedMap<Integer, String> brokers);

    /**
     * Starts the reading and returns immediately. An address that does not answer is asked again.
     *
     * @param brokers the addresses of the brokers of the cluster, by their numbers
     * @param unseen receives brokers whose metrics cannot be read any more, and why
     */
    Scraping start(
            List<String> urls,
            SortedMap<Integer, String> brokers,
            long originNanos,
            LongSupplier clock,
            Consumer<Reading> out,
            BiConsumer<String, String> unseen);

    /** The reading of all addresses, until closed. */
    interface Scraping extends AutoCloseable {
        /**
         * The records for these topics that all brokers counted as incoming. Empty if a broker cannot be read, or if
         * no broker knows the topics. All brokers are asked in parallel.
         */
        OptionalLong messagesIn(Collection<String> topics);

        /** Returns immediately, even if an address does not answer. */
        @Override
        void close();
    }
}
