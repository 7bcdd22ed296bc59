package weir.cli;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import picocli.CommandLine;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.UnmatchedArgumentException;
import weir.cluster.ClusterUnavailable;
import weir.host.HomeFolders;
import weir.host.HostUnavailable;
import weir.plan.Problems;
import weir.plan.property.Redact;
import weir.results.IncomparableRunsException;
import weir.results.UnreadableRunException;
import weir.results.UnwritableDisk;
import weir.run.Exit;
import weir.run.PreflightException;

/** The handler of failures, which prints one line for a user's mistake and a stack trace for a fault of Weir. */
final class ErrorHandler {
    private ErrorHandler() {}

    static int usage(ParameterException wrong) {
        CommandLine command = wrong.getCommandLine();
        String name = command.getCommandSpec().qualifiedName();
        StringBuilder line = new StringBuilder(name).append(": ").append(firstLine(String.valueOf(wrong.getMessage())));
        if (wrong instanceof UnmatchedArgumentException unmatched
                && !unmatched.getSuggestions().isEmpty()) {
            line.append("; did you mean '")
                    .append(unmatched.getSuggestions().get(0))
                    .append("'?");
        } else if (wrong.getCause() == null && !line.toString().contains("--help")) {
            line.append("; see ").append(name).append(" --help");
        }
        command.getErr().println(line);
        return Exit.USAGE.code();
    }

    static int report(Exception fault, CommandLine command, boolean debug) {
        PrintWriter err = command.getErr();
        if (fault instanceof Problems
                || fault instanceof UnreadableRunException
                || fault instanceof IncomparableRunsException) {
            err.println(fault.getMessage());
            return Exit.USAGE.code();
        }
        if (fault instanceof PreflightException
                || fault instanceof ClusterUnavailable
                || fault instanceof HomeFolders.NoHomeFolder
                || fault instanceof HostUnavailable) {
            err.println(fault.getMessage());
            return Exit.PREFLIGHT.code();
        }
        Optional<String> unwritable = UnwritableDisk.reason(fault);
        if (unwritable.isPresent() && !debug) {
            err.println(firstLine(String.valueOf(fault.getMessage())) + ": " + unwritable.get()
                    + "; free some space there, or set --runs, XDG_STATE_HOME and TMPDIR to other folders");
            return Exit.PREFLIGHT.code();
        }
        String line = command.getCommandSpec().qualifiedName() + ": " + chain(fault);
        if (debug) {
            fault.printStackTrace(err);
        } else {
            line += trace(fault);
        }
        err.println(line);
        return Exit.OUR_FAULT.code();
    }

    static String chain(Throwable fault) {
        StringBuilder text = new StringBuilder();
        for (Throwable each = fault; each != null; each = each.getCause()) {
            String message = each.getMessage() == null ? each.getClass().getSimpleName() : firstLine(each.getMessage());
            if (text.indexOf(message) < 0) {
                text.append(text.isEmpty() ? "" : ": ").append(message);
            }
        }
        return Redact.text(text.toString());
    }

    private static String trace(Exception fault) {
        try {
            Path file = Files.createTempFile("weir-fault-", ".txt");
            StringWriter trace = new StringWriter();
            fault.printStackTrace(new PrintWriter(trace));
            Files.writeString(file, Redact.text(trace.toString()));
            return " (trace: " + file + ")";
        } catch (IOException full) {
            return " (the trace could not be written: " + full.getMessage() + "; --debug prints it)";
        }
    }

    private static String firstLine(String text) {
        return text.lines().findFirst().orElse("");
    }
}
