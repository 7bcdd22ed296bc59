package weir.feature.metrics;

import java.lang.management.ManagementFactory;
import java.util.function.LongSupplier;
import javax.management.AttributeList;
import javax.management.MBeanServerConnection;
import javax.management.ObjectName;
import weir.host.mbean.LocalMBeans;
import weir.probe.BrokerMBeans;

/** Readings of this JVM instead of a broker. */
public final class FakeExport {
    private FakeExport() {}

    /** {@code looks} runs at the beginning of each reading. */
    public static BrokerExport of(LongSupplier clock, Runnable looks) {
        return new BrokerExport(
                new BrokerMBeans(0) {
                    @Override
                    public MBeanServerConnection connection() {
                        looks.run();
                        return ManagementFactory.getPlatformMBeanServer();
                    }

                    @Override
                    public AttributeList[] values(ObjectName[] beans, String[][] attributes) {
                        return LocalMBeans.values(ManagementFactory.getPlatformMBeanServer(), beans, attributes);
                    }
                },
                clock,
                BrokerExport.MOST_SERIES);
    }
}
