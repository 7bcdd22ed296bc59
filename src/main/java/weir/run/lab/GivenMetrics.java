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

/** A reader of the metrics of external brokers, at addresses that the plan names. */
public interface GivenMetrics extends Feature.Part {
    /**
     * Returns, by address, why metrics are unreadable, or not of this cluster. Asks in parallel.
     *
     * @param brokers the addresses of the brokers of the cluster, by their numbers
     */
    SortedMap<String, String> refused(Collection<String> urls, SortedMap<Integer, String> brokers);

    /**
     * Starts the reading and returns immediately. Addresses without an answer are asked again.
     *
     * @param brokers the addresses of the brokers of the cluster, by their numbers
     * @param unseen receives brokers whose metrics became unreadable, and the reason
     */
    Scraping start(
            List<String> urls,
            SortedMap<Integer, String> brokers,
            long originNanos,
            LongSupplier clock,
            Consumer<Reading> out,
            BiConsumer<String, String> unseen);

    interface Scraping extends AutoCloseable {
        /**
         * The records for these topics that all brokers counted as incoming. Empty if a broker is unreadable, or if no
         * broker knows the topics. All brokers are asked in parallel.
         */
        OptionalLong messagesIn(Collection<String> topics);

        /** Returns immediately, even if an address does not answer. */
        @Override
        void close();
    }
}
