package weir.host;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** A command of the user's until it is closed. All that it starts ends with it. */
public final class RunningCommand implements AutoCloseable {
    // A child is the first of a group of processes. One more of the group reads what we never write, until that is over
    // because the child has ended or we have, and ends the group then: a parent's death is told to its child only.
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
            Place place, String name, List<String> command, Path folder, String bootstrap, Path log) {
        List<String> program = new ArrayList<>(List.of("/bin/sh", "-c", GROUP, "sh"));
        program.addAll(List.of("/usr/bin/env", "--chdir=" + folder.toAbsolutePath(), "BOOTSTRAP_SERVERS=" + bootstrap));
        program.addAll(command);
        return new RunningCommand(place.start(new Command(name, program, log, Command.Output.LOGGED)));
    }

    /**
     * Ends it, if it still runs.
     *
     * @throws IllegalStateException when it had ended by itself, and not well, with what it said last
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
