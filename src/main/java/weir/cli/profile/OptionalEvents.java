package weir.cli.profile;

import java.io.File;
import java.util.List;
import java.util.Map;
import java.util.Stack;
import java.util.stream.Stream;
import picocli.CommandLine.IParameterPreprocessor;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import weir.plan.ProfileSpec;

/** Events that may be left out: the word behind the option is the file where it looks like one. */
final class OptionalEvents implements IParameterPreprocessor {
    private static final List<String> EVENTS =
            Stream.of(ProfileSpec.Event.values()).map(ProfileSpec.Event::word).toList();

    // The type of the words is picocli's.
    @SuppressWarnings("JdkObsolete")
    @Override
    public boolean preprocess(Stack<String> words, CommandSpec command, ArgSpec option, Map<String, Object> found) {
        boolean attached = "=".equals(found.get("separator"));
        if (!attached && (words.isEmpty() || words.peek().startsWith("-") || isFile(words.peek()))) {
            words.push(ProfileSpec.Event.CPU.word());
            return false;
        }
        String given = words.peek();
        List<String> unknown =
                Stream.of(given.split(",", -1)).filter(event -> !isEvent(event)).toList();
        if (!unknown.isEmpty()) {
            throw new ParameterException(
                    command.commandLine(),
                    "--profile: '" + unknown.get(0) + "' is none of " + String.join(", ", EVENTS)
                            + "; write it like --profile=cpu,alloc, or --profile alone for cpu");
        }
        return false;
    }

    private static boolean isEvent(String word) {
        return EVENTS.stream().anyMatch(word::equalsIgnoreCase);
    }

    private static boolean isFile(String word) {
        if (Stream.of(word.split(",", -1)).anyMatch(OptionalEvents::isEvent)) {
            return false;
        }
        return word.contains(".") || word.contains("/") || new File(word).exists();
    }
}
