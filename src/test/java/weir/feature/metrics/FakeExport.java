package weir.feature.metrics;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongSupplier;
import javax.management.AttributeList;
import javax.management.MBeanServer;
import javax.management.MBeanServerConnection;
import javax.management.ObjectName;
import weir.host.mbean.LocalMBeans;
import weir.probe.BrokerMBeans;

/** Readings of this JVM instead of a broker. */
public final class FakeExport {
    private FakeExport() {}

    /** {@code looks} runs at the beginning of each reading. */
    public static BrokerExport of(LongSupplier clock, Runnable looks) {
        FakeBroker broker = new FakeBroker(ManagementFactory.getPlatformMBeanServer());
        broker.looks = looks;
        return new BrokerExport(broker, clock, BrokerExport.MOST_SERIES);
    }

    /** The MBeans of a server in this JVM. */
    static final class FakeBroker extends BrokerMBeans {
        final AtomicInteger readings = new AtomicInteger();
        volatile boolean down;
        volatile Runnable looks = () -> {};
        volatile CountDownLatch paused = new CountDownLatch(0);
        private final MBeanServer server;

        FakeBroker(MBeanServer server) {
            super(0);
            this.server = server;
        }

        @Override
        public MBeanServerConnection connection() throws IOException {
            try {
                paused.await();
            } catch (InterruptedException e) {
                throw new IOException(e);
            }
            looks.run();
            if (down) {
                throw new IOException("no process");
            }
            return server;
        }

        @Override
        public AttributeList[] values(ObjectName[] beans, String[][] attributes) {
            readings.incrementAndGet();
            return LocalMBeans.values(server, beans, attributes);
        }
    }
}
