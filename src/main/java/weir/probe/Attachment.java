package weir.probe;

import com.sun.tools.attach.AttachNotSupportedException;
import com.sun.tools.attach.VirtualMachine;
import java.io.IOException;
import java.util.Map;
import javax.management.remote.JMXConnector;
import javax.management.remote.JMXConnectorFactory;
import javax.management.remote.JMXServiceURL;

/** The way into another JVM of the same user: attach, let it start its local agent, connect to that. */
final class Attachment {
    private Attachment() {}

    @SuppressWarnings("BanJNDI") // The address is not a user's: our own child's JVM has just named it.
    static JMXConnector connect(long pid) throws IOException {
        if (ModuleLayer.boot().findModule("jdk.attach").isEmpty()) {
            throw new IOException("this Java cannot attach to another JVM (no module jdk.attach); a JDK can");
        }
        return JMXConnectorFactory.connect(
                new JMXServiceURL(Agent.start(pid)),
                // No heartbeat of its own: we ask once a second anyway.
                Map.of("jmx.remote.x.client.connection.check.period", 0L));
    }

    /** Apart, so that nothing of jdk.attach is looked for in a Java that lacks it. */
    private static final class Agent {
        static String start(long pid) throws IOException {
            try {
                VirtualMachine jvm = VirtualMachine.attach(Long.toString(pid));
                try {
                    return jvm.startLocalManagementAgent();
                } finally {
                    jvm.detach();
                }
            } catch (AttachNotSupportedException e) {
                throw new IOException("attaching to process " + pid, e);
            }
        }
    }
}
