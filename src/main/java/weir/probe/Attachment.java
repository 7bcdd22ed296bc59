package weir.probe;

import com.sun.tools.attach.AgentInitializationException;
import com.sun.tools.attach.AgentLoadException;
import com.sun.tools.attach.AttachNotSupportedException;
import com.sun.tools.attach.VirtualMachine;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import javax.management.remote.JMXConnector;
import javax.management.remote.JMXConnectorFactory;
import javax.management.remote.JMXServiceURL;

/** The way into another JVM of the same user: attach, let it start its local agent or a native one, connect to that. */
public final class Attachment {
    private Attachment() {}

    @SuppressWarnings("BanJNDI") // The address is not a user's: our own child's JVM has just named it.
    public static JMXConnector connect(long pid) throws IOException {
        check();
        return JMXConnectorFactory.connect(
                new JMXServiceURL(Agent.start(pid)),
                // No heartbeat of its own: we ask once a second anyway.
                Map.of("jmx.remote.x.client.connection.check.period", 0L));
    }

    /** Lets it load a native agent, or tell one that is loaded already, what to do. */
    public static void load(long pid, Path library, String options) throws IOException {
        check();
        Agent.load(pid, library, options);
    }

    private static void check() throws IOException {
        if (ModuleLayer.boot().findModule("jdk.attach").isEmpty()) {
            throw new IOException("this Java cannot attach to another JVM (no module jdk.attach); a JDK can");
        }
    }

    /** Apart, so that nothing of jdk.attach is looked for in a Java that lacks it. */
    private static final class Agent {
        static String start(long pid) throws IOException {
            VirtualMachine jvm = attached(pid);
            try {
                return jvm.startLocalManagementAgent();
            } finally {
                jvm.detach();
            }
        }

        static void load(long pid, Path library, String options) throws IOException {
            VirtualMachine jvm = attached(pid);
            try {
                jvm.loadAgentPath(library.toString(), options);
            } catch (AgentLoadException | AgentInitializationException e) {
                throw new IOException(
                        "loading " + library.getFileName() + " into process " + pid + ": " + e.getMessage(), e);
            } finally {
                jvm.detach();
            }
        }

        private static VirtualMachine attached(long pid) throws IOException {
            try {
                return VirtualMachine.attach(Long.toString(pid));
            } catch (AttachNotSupportedException e) {
                throw new IOException("attaching to process " + pid, e);
            }
        }
    }
}
