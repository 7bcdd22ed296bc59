package weir.cli.watch;

import java.io.File;
import java.util.Map;
import java.util.Stack;
import picocli.CommandLine.IParameterPreprocessor;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;

/**
 * An address that may be left out: the word behind the option is an experiment's file when it looks like one or is one, or
 * another option; everything else was meant as an address, and is judged as such.
 */
final class OptionalAddress implements IParameterPreprocessor {
    /** Stands for an address that was left out. */
    static final String ANY = "";

    private static final String OTHER = "-.*|.*\\.ya?ml";

    // The type of the words is picocli's.
    @SuppressWarnings("JdkObsolete")
    @Override
    public boolean preprocess(Stack<String> words, CommandSpec command, ArgSpec option, Map<String, Object> found) {
        boolean attached = "=".equals(found.get("separator"));
        if (!attached && (words.isEmpty() || other(words.peek()))) {
            words.push(ANY);
        }
        return false;
    }

    private static boolean other(String word) {
        return word.matches(OTHER) || new File(word).exists();
    }
}
