package weir.feature.profile;

import java.io.File;
import java.util.List;
import java.util.Map;
import java.util.Stack;
import java.util.stream.Stream;
import picocli.CommandLine;
import picocli.CommandLine.IParameterPreprocessor;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import weir.cli.RunExtension;
import weir.plan.Experiment;

/** The option that requests profiles in addition to those of a file. */
final class ProfileOption implements RunExtension {
    @Option(
            names = "--profile",
            paramLabel = "EVENT",
            arity = "0..1",
            split = ",",
            preprocessor = OptionalEvents.class,
            description = "Profile each variant in a trial of its own: cpu, alloc, lock, wall; cpu when none is said.")
    private List<ProfileSpec.Event> events = List.of();

    @Override
    public boolean checks() {
        return true;
    }

    @Override
    public List<String> values() {
        List<String> words =
                events.stream().map(ProfileSpec.Event::word).distinct().toList();
        return words.isEmpty() ? List.of() : List.of("profile.what=[" + String.join(", ", words) + "]");
    }

    @Override
    public void check(CommandLine command, Experiment experiment) {
        if (!events.isEmpty() && command.getParseResult().hasMatchedOption("--a-a")) {
            throw new ParameterException(command, "--profile: --a-a leaves profiles out; give one of them");
        }
        if (!events.isEmpty() && new ProfiledTrials().of(experiment).isEmpty()) {
            List<String> reasons = new ProfiledTrials().leftOut(experiment);
            throw new ParameterException(
                    command,
                    "--profile: nothing would be profiled: "
                            + (reasons.isEmpty() ? "no variant that runs is in profile" : String.join("; ", reasons))
                            + "; run a variant that is profiled, or remove --profile");
        }
    }

    static final class OptionalEvents implements IParameterPreprocessor {
        private static final List<String> EVENTS = Stream.of(ProfileSpec.Event.values())
                .map(ProfileSpec.Event::word)
                .toList();

        // picocli requires a Stack.
        @SuppressWarnings("JdkObsolete")
        @Override
        public boolean preprocess(Stack<String> words, CommandSpec command, ArgSpec option, Map<String, Object> found) {
            boolean attached = "=".equals(found.get("separator"));
            if (!attached && (words.isEmpty() || words.peek().startsWith("-") || isFile(words.peek()))) {
                words.push(ProfileSpec.Event.CPU.word());
                return false;
            }
            String given = words.peek();
            List<String> unknown = Stream.of(given.split(",", -1))
                    .filter(event -> !isEvent(event))
                    .toList();
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
}
