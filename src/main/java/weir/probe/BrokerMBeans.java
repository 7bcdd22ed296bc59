package weir.probe;

import java.io.IOException;
import javax.management.AttributeList;
import javax.management.MBeanServerConnection;
import javax.management.ObjectName;
import org.jspecify.annotations.Nullable;
import weir.host.mbean.LocalMBeans;

/** The MBeans of a broker on this machine. The first use opens the connection. Belongs to one thread. */
public class BrokerMBeans implements AutoCloseable {
    private final long pid;
    private @Nullable LocalMBeans open;

    public BrokerMBeans(long pid) {
        this.pid = pid;
    }

    public MBeanServerConnection connection() throws IOException {
        return open().connection();
    }

    public AttributeList[] values(ObjectName[] beans, String[][] attributes) throws IOException {
        return open().values(beans, attributes);
    }

    private LocalMBeans open() throws IOException {
        LocalMBeans mbeans = open;
        if (mbeans == null) {
            mbeans = LocalMBeans.of(pid);
            open = mbeans;
        }
        return mbeans;
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
