package weir.run;

import java.util.function.Consumer;
import weir.plan.ResolvedSecrets;

/**
 * What is done when a trial is over. A step that fails is told, and the next one is done: it neither takes anything from
 * what was measured nor hides why a trial failed.
 */
record CleanUp(ResolvedSecrets secrets, Consumer<String> note) {
    /** Whether it was done. */
    boolean step(Runnable step) {
        try {
            step.run();
            return true;
        } catch (RuntimeException e) {
            note.accept("clean-up: " + secrets.text(String.valueOf(e.getMessage())));
            return false;
        }
    }
}
