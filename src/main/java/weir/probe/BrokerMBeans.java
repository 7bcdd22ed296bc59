package weir.probe;

import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import javax.management.Attribute;
import javax.management.JMException;
import javax.management.MBeanServerConnection;
import javax.management.ObjectName;
import org.jspecify.annotations.Nullable;
import weir.host.mbean.LocalMBeans;
import weir.time.DaemonThreads;

/** The MBeans of a broker of this machine, connected to on first use. Belongs to one thread. */
final class BrokerMBeans implements BrokerExport.Source {
    private final long pid;
    private @Nullable LocalMBeans open;

    BrokerMBeans(long pid) {
        this.pid = pid;
    }

    @Override
    public MBeanServerConnection connection() throws IOException {
        LocalMBeans mbeans = open;
        if (mbeans == null) {
            mbeans = LocalMBeans.of(pid);
            open = mbeans;
        }
        return mbeans.connection();
    }

    /** A thread that asks a broker, which may be paused and not answer; the thread ends with this process. */
    static ExecutorService thread(String name) {
        return Executors.newSingleThreadExecutor(DaemonThreads.named(name));
    }

    static Map<String, Object> values(MBeanServerConnection broker, ObjectName bean, String... attributes)
            throws IOException, JMException {
        Map<String, Object> values = new HashMap<>();
        for (Attribute attribute : broker.getAttributes(bean, attributes).asList()) {
            values.put(attribute.getName(), attribute.getValue());
        }
        return values;
    }

    @Override
    public void close() {
        LocalMBeans mbeans = open;
        open = null;
        if (mbeans != null) {
            mbeans.close();
        }
    }
}
