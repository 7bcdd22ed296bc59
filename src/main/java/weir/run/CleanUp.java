package weir.run;

import java.util.List;
import weir.plan.property.ResolvedSecrets;

/**
 * The clean-up behind a trial. A step that fails adds to what is {@code left}, and the next one is done: it neither takes
 * anything from what was measured nor hides why a trial failed.
 */
record CleanUp(ResolvedSecrets secrets, List<String> left) {
    void step(Runnable step) {
        try {
            step.run();
        } catch (RuntimeException e) {
            left.add(secrets.text(String.valueOf(e.getMessage())));
        }
    }
}
