package weir.probe;

import java.io.IOException;
import javax.management.MBeanServerConnection;
import org.jspecify.annotations.Nullable;
import weir.host.mbean.LocalMBeans;

/** The MBeans of a broker of this machine, connected to when they are asked for first. Belongs to one thread. */
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

    @Override
    public void close() {
        LocalMBeans mbeans = open;
        open = null;
        if (mbeans != null) {
            mbeans.close();
        }
    }
}
