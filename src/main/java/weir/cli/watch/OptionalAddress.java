package weir.cli.watch;

import java.util.Map;
import java.util.Stack;
import picocli.CommandLine.IParameterPreprocessor;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;

/** An address that may be left out: the word behind the option is one when it looks like one, and a file otherwise. */
final class OptionalAddress implements IParameterPreprocessor {
    /** Stands for an address that was left out. */
    static final String ANY = "";

    private static final String ADDRESS = "(.*[^/]|\\[.*])?:\\d+";

    // The type of the words is picocli's.
    @SuppressWarnings("JdkObsolete")
    @Override
    public boolean preprocess(Stack<String> words, CommandSpec command, ArgSpec option, Map<String, Object> found) {
        boolean attached = "=".equals(found.get("separator"));
        if (!attached && (words.isEmpty() || !words.peek().matches(ADDRESS))) {
            words.push(ANY);
        }
        return false;
    }
}
