package weir.probe;

import java.io.IOException;
import javax.management.MBeanServerConnection;
import javax.management.remote.JMXConnector;
import org.jspecify.annotations.Nullable;

/** The MBeans of another JVM of the same user, attached to when they are asked for first. Belongs to one thread. */
final class AttachedJvm implements BrokerExport.Source {
    private final long pid;
    private @Nullable JMXConnector open;

    AttachedJvm(long pid) {
        this.pid = pid;
    }

    @Override
    public MBeanServerConnection connection() throws IOException {
        JMXConnector connector = open;
        if (connector == null) {
            connector = Attachment.connect(pid);
            open = connector;
        }
        return connector.getMBeanServerConnection();
    }

    @Override
    public void close() {
        JMXConnector connector = open;
        open = null;
        if (connector != null) {
            try {
                connector.close();
            } catch (IOException ended) {
                // The JVM ended first, which closes it as well.
            }
        }
    }
}
