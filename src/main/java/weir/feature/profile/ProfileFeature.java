package weir.feature.profile;

import java.io.File;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Stack;
import java.util.function.BiConsumer;
import java.util.stream.Stream;
import picocli.CommandLine;
import picocli.CommandLine.IParameterPreprocessor;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import weir.cli.RunExtension;
import weir.feature.Feature;
import weir.plan.EnumNames;
import weir.plan.Experiment;
import weir.plan.Problem;
import weir.plan.RateSpec;
import weir.plan.Variant;
import weir.plan.check.Requirements;
import weir.plan.trial.ExtraTrials;
import weir.plan.trial.Trial;
import weir.report.Section;
import weir.run.lab.TrialExtension;

/** The profiles of the JVMs of a variant, in an extra trial. */
public final class ProfileFeature implements Feature {
    @Override
    public List<Part> options() {
        return List.of(new ProfileOption());
    }

    @Override
    public List<Class<? extends Record>> forms() {
        return List.of(ProfileSpec.class);
    }

    @Override
    public List<Part> parts() {
        return List.of(
                new ProfiledTrials(),
                new ProfileCaveats(),
                (TrialExtension.Maker) (stage, wall) -> TrialProfiles.attach(
                        stage,
                        (jvms, events, folder) ->
                                JvmProfilers.attach(jvms, events, folder, wall, JvmProfilers.TIMEOUT)),
                new Section(200, "profile", "Profile", ProfileSection::page, ProfileSection::brief));
    }

    static final class ProfileOption implements RunExtension {
        @Option(
                names = "--profile",
                paramLabel = "EVENT",
                arity = "0..1",
                split = ",",
                preprocessor = OptionalEvents.class,
                description = "Profile each variant in an extra trial: cpu, alloc, lock, wall (default: cpu).")
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
                throw new ParameterException(command, "--profile and --a-a exclude each other; remove one of them");
            }
            if (!events.isEmpty() && new ProfiledTrials().of(experiment).isEmpty()) {
                List<String> reasons = new ProfiledTrials().leftOut(experiment);
                throw new ParameterException(
                        command,
                        "--profile: no variant would be profiled: "
                                + (reasons.isEmpty() ? "the run has no variant to profile" : String.join("; ", reasons))
                                + "; run a profiled variant, or remove --profile");
            }
        }

        static final class OptionalEvents implements IParameterPreprocessor {
            private static final List<String> EVENTS = Stream.of(ProfileSpec.Event.values())
                    .map(ProfileSpec.Event::word)
                    .toList();

            // picocli requires a Stack.
            @SuppressWarnings("JdkObsolete")
            @Override
            public boolean preprocess(
                    Stack<String> words, CommandSpec command, ArgSpec option, Map<String, Object> found) {
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
                            "--profile: '" + unknown.get(0) + "' is not one of " + String.join(", ", EVENTS)
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

    /** The profiled trials, one of each variant, after all others, without figures because a profiler uses CPU. */
    static final class ProfiledTrials implements ExtraTrials {
        private static final String OF = "profile.of";

        @Override
        public List<Trial> of(Experiment experiment) {
            List<Trial> trials = new ArrayList<>();
            for (ProfileSpec profile : ProfileSpec.of(experiment)) {
                for (Variant variant : experiment.variants()) {
                    if (why(experiment, profile, variant).isEmpty()) {
                        trials.add(new Trial(trials.size() + 1, during(variant, profile.step()), 1, Trial.PROFILE));
                    }
                }
            }
            return trials;
        }

        @Override
        public List<Problem> problems(Experiment experiment) {
            List<Problem> problems = new ArrayList<>();
            for (ProfileSpec profile : ProfileSpec.of(experiment)) {
                check(
                        experiment,
                        profile,
                        (path, message) -> problems.add(experiment.places().problem(path, message)));
            }
            return problems;
        }

        private void check(Experiment experiment, ProfileSpec profile, BiConsumer<String, String> wrong) {
            if (profile.of().isEmpty() || profile.what().isEmpty()) {
                wrong.accept(
                        profile.of().isEmpty() ? OF : "profile.what",
                        "must not be empty; remove the key for its default, or remove profile");
                return;
            }
            List<Variant> profiled = of(experiment).stream().map(Trial::variant).toList();
            List<Variant> taken =
                    experiment.variants().stream().filter(profile::takes).toList();
            if (profiled.isEmpty() && taken.stream().allMatch(experiment::onlySearched) && !taken.isEmpty()) {
                wrong.accept(
                        "profile",
                        "the variants run only in a search, which is not profiled; write load.rate, such as 50% of capacity");
            } else if (profiled.isEmpty() && !taken.isEmpty()) {
                wrong.accept(
                        "profile.during",
                        "no variant of this run has a step " + profile.step()
                                + "; write the rate of one of their steps, or remove the key");
            }
            for (ProfileSpec.Role role : ProfileSpec.Role.values()) {
                profiled.stream()
                        .filter(variant ->
                                profile.of(role) && !lacking(role, variant).isEmpty())
                        .findFirst()
                        .ifPresent(variant ->
                                wrong.accept(OF, "variant '" + variant.name() + "': " + lacking(role, variant)));
            }
        }

        private static String lacking(ProfileSpec.Role role, Variant variant) {
            return Requirements.lacking(OF, EnumNames.of(role), variant);
        }

        @Override
        public List<String> leftOut(Experiment experiment) {
            List<String> notes = new ArrayList<>();
            for (ProfileSpec profile : ProfileSpec.of(experiment)) {
                for (Variant variant : experiment.variants()) {
                    String why = why(experiment, profile, variant);
                    if (!why.isEmpty()) {
                        notes.add("variant '" + variant.name() + "' is not profiled, because it " + why);
                    }
                }
            }
            return notes;
        }

        /** Returns the reason why a variant is not profiled; empty if it is. */
        private static String why(Experiment experiment, ProfileSpec profile, Variant variant) {
            if (!profile.takes(variant)) {
                return "is not in profile.variants";
            }
            if (experiment.onlySearched(variant)) {
                return "has only trials of a search";
            }
            String step = profile.step();
            return step.isEmpty() || variant.load().rate().names().contains(step) ? "" : "has no step " + step;
        }

        /** Returns the variant with only that step after its usual warm-up. If there are several, takes the longest. */
        private static Variant during(Variant variant, String step) {
            if (step.isEmpty() || variant.load().rate().steps().isEmpty()) {
                return variant;
            }
            RateSpec.Step only = variant.load().rate().steps().stream()
                    .filter(each -> each.rate().text().equals(step))
                    .max(Comparator.comparing(RateSpec.Step::length))
                    .orElseThrow();
            return variant.with("load.rate", new RateSpec.Steps(List.of(only), Duration.ZERO, false), "profile.during");
        }
    }
}
