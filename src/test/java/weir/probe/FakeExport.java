package weir.probe;

import java.lang.management.ManagementFactory;
import java.util.function.LongSupplier;
import javax.management.MBeanServerConnection;

/** Readings of this JVM in place of a broker. */
public final class FakeExport {
    private FakeExport() {}

    /** {@code looks} runs at the begin of each reading. */
    public static BrokerExport of(LongSupplier clock, Runnable looks) {
        return new BrokerExport(
                "fake-export",
                new BrokerExport.Source() {
                    @Override
                    public MBeanServerConnection connection() {
                        looks.run();
                        return ManagementFactory.getPlatformMBeanServer();
                    }

                    @Override
                    public void close() {
                        // Nothing was opened.
                    }
                },
                clock,
                BrokerExport.MOST_SERIES);
    }
}
