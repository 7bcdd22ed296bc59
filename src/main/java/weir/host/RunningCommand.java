package weir.host;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** A running command of the user, which ends with all that it started when this is closed. */
public final class RunningCommand implements AutoCloseable {
    // A child leads a process group. A second process of the group waits for the end of its input, which comes when
    // the child or Weir ends, and then kills the group: the kernel signals a parent's death to its own child only.
    private static final String GROUP =
            "exec 3<&0; (cat <&3 >/dev/null; kill -s KILL -- -$$) & exec \"$@\" </dev/null 3<&-";

    private final Child first;

    private RunningCommand(Child first) {
        this.first = first;
    }

    /**
     * Returns when it runs.
     *
     * @param folder in which it runs, there
     * @param bootstrap the brokers, which it finds in its environment as BOOTSTRAP_SERVERS
     * @param log takes all that it prints
     */
    public static RunningCommand start(
            Host host, String name, List<String> command, Path folder, String bootstrap, Path log) {
        List<String> program = new ArrayList<>(List.of("/bin/sh", "-c", GROUP, "sh"));
        program.addAll(List.of("/usr/bin/env", "--chdir=" + folder.toAbsolutePath(), "BOOTSTRAP_SERVERS=" + bootstrap));
        program.addAll(command);
        return new RunningCommand(host.start(new Command(name, program, log, Command.Output.LOGGED)));
    }

    /**
     * Ends it, if it still runs.
     *
     * @throws IllegalStateException with its last output, when it had failed by itself
     */
    @Override
    public void close() {
        boolean ran = first.alive();
        first.endTree();
        int code = first.exit().join();
        if (!ran && code != 0) {
            throw new IllegalStateException(
                    "the command " + Child.ending(code) + ": " + String.join(" / ", first.lastLines(3)));
        }
    }
}
