package weir.host;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * How a child is tied to its parent's life with what this machine has. Empty paths stand for programs it lacks.
 *
 * <p>{@code setsid} keeps a Ctrl-C in the terminal from reaching children: the parent decides when they end.
 */
record ParentDeathSignal(Path setsid, Path setpriv) {
    // setpriv asks for the signal after the fork. A parent that died before is no longer our parent, and its signal
    // never comes: the shell looks once more before it becomes the program.
    private static final String STILL_OURS = "[ \"$PPID\" = \"$0\" ] && exec \"$@\"";

    static ParentDeathSignal ofThisMachine() {
        Path setpriv = Programs.named("setpriv");
        return new ParentDeathSignal(Programs.named("setsid"), knowsParentDeath(setpriv) ? setpriv : Path.of(""));
    }

    /** The program, killed when {@code parent} or the thread that starts it ends. */
    List<String> tied(long parent, List<String> arguments) {
        List<String> tied = new ArrayList<>(ownSession());
        if (holds()) {
            tied.addAll(List.of(setpriv.toString(), "--pdeathsig", "KILL"));
            tied.addAll(List.of("/bin/sh", "-c", STILL_OURS, Long.toString(parent)));
        }
        tied.addAll(arguments);
        return tied;
    }

    /** The program, out of reach of the parent's terminal. */
    List<String> free(List<String> arguments) {
        List<String> free = new ArrayList<>(ownSession());
        free.addAll(arguments);
        return free;
    }

    boolean holds() {
        return !setpriv.toString().isEmpty();
    }

    private List<String> ownSession() {
        return setsid.toString().isEmpty() ? List.of() : List.of(setsid.toString());
    }

    // Busybox has a setpriv without it.
    private static boolean knowsParentDeath(Path setpriv) {
        if (setpriv.toString().isEmpty()) {
            return false;
        }
        try {
            return new ProcessBuilder(setpriv.toString(), "--pdeathsig", "KILL", "/bin/sh", "-c", ":")
                            .redirectErrorStream(true)
                            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                            .start()
                            .waitFor()
                    == 0;
        } catch (IOException refused) {
            return false;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }
}
