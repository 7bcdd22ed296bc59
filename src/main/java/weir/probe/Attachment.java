package weir.probe;

import com.sun.tools.attach.AgentInitializationException;
import com.sun.tools.attach.AgentLoadException;
import com.sun.tools.attach.AttachNotSupportedException;
import com.sun.tools.attach.VirtualMachine;
import java.io.IOException;
import java.nio.file.Path;

/** Native agents for other JVMs of the same user, which are loaded through the JVM's attach mechanism. */
public final class Attachment {
    private Attachment() {}

    /** Lets it load a native agent, or tell one that is loaded already, what to do. */
    public static void load(long pid, Path library, String options) throws IOException {
        if (ModuleLayer.boot().findModule("jdk.attach").isEmpty()) {
            throw new IOException("this Java cannot attach to another JVM (no module jdk.attach); a JDK can");
        }
        Agent.load(pid, library, options);
    }

    /** Apart, so that nothing of jdk.attach is looked for in a Java that lacks it. */
    private static final class Agent {
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
