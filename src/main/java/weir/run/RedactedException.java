package weir.run;

import java.util.ArrayList;
import java.util.List;
import weir.cluster.ClusterUnavailable;
import weir.plan.Problem;
import weir.plan.Problems;
import weir.plan.property.ResolvedSecrets;

/** A copy of an exception without the texts that contain secrets. */
final class RedactedException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final String shown;

    private RedactedException(Throwable fault, ResolvedSecrets secrets) {
        super(
                secrets.text(String.valueOf(fault.getMessage())),
                fault.getCause() == null ? null : new RedactedException(fault.getCause(), secrets));
        shown = secrets.text(fault.toString());
        setStackTrace(fault.getStackTrace());
        for (Throwable suppressed : fault.getSuppressed()) {
            addSuppressed(new RedactedException(suppressed, secrets));
        }
    }

    /** Returns the same exception if it contains no secret, else an exception with the same exit code. */
    static RuntimeException of(RuntimeException fault, ResolvedSecrets secrets) {
        if (fault instanceof Problems problems) {
            // Messages of Weir name properties with secrets, and may quote a value.
            return new Problems(problems.list().stream()
                    .map(problem -> new Problem(
                            problem.source(),
                            problem.line(),
                            problem.column(),
                            secrets.values(problem.excerpt()),
                            secrets.values(problem.message())))
                    .toList());
        }
        List<String> texts = new ArrayList<>();
        collect(fault, texts);
        if (texts.stream().allMatch(text -> secrets.text(text).equals(text))) {
            return fault;
        }
        RedactedException hidden = new RedactedException(fault, secrets);
        String message = String.valueOf(hidden.getMessage());
        if (fault instanceof ClusterUnavailable) {
            return new ClusterUnavailable(message, hidden);
        }
        return fault instanceof PreflightException ? new PreflightException(message) : hidden;
    }

    private static void collect(Throwable fault, List<String> texts) {
        texts.add(fault.toString());
        if (fault.getCause() != null) {
            collect(fault.getCause(), texts);
        }
        for (Throwable suppressed : fault.getSuppressed()) {
            collect(suppressed, texts);
        }
    }

    // The copy shows the class of the original exception in a trace.
    @Override
    @SuppressWarnings("OverrideThrowableToString")
    public String toString() {
        return shown;
    }
}
