package weir.results;

import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import weir.plan.CompareSpec;
import weir.plan.Experiment;
import weir.plan.Setting;
import weir.plan.syntax.ShellWord;

/** The resolved experiment of a run, the origin of every value, and the command that started the run. */
public record RequestedExperiment(
        String weir,
        String command,
        String name,
        String question,
        long seed,
        boolean shortened,
        List<Variant> variants,
        List<String> compare,
        SortedMap<String, String> accepted,
        List<String> unjudged) {
    public RequestedExperiment {
        variants = List.copyOf(variants);
        compare = List.copyOf(compare);
        accepted = Collections.unmodifiableSortedMap(new TreeMap<>(accepted));
        unjudged = List.copyOf(unjudged);
    }

    /** One variant with all its values. {@code repeat} is the number of its trials; 0 if only a search runs it. */
    public record Variant(String name, int repeat, SortedMap<String, String> gridPoint, List<Setting> settings) {
        public Variant {
            gridPoint = Collections.unmodifiableSortedMap(new TreeMap<>(gridPoint));
            settings = List.copyOf(settings);
        }

        public SortedMap<String, String> values() {
            SortedMap<String, String> values = new TreeMap<>();
            settings.forEach(setting -> values.put(setting.path(), setting.value()));
            return values;
        }
    }

    /** The command that resumes the run in this folder, for the working directory of the first command. */
    public String resumed(Path folder) {
        return command.contains(" --resume") ? command : command + " --resume " + ShellWord.of(folder.toString());
    }

    /** True if two variants are identical, so that any difference between them is noise. */
    public boolean againstItself() {
        return variants.size() == 2
                && !variants.get(0).settings().isEmpty()
                && variants.get(0).values().equals(variants.get(1).values());
    }

    public static RequestedExperiment of(Experiment experiment, String weir, String command) {
        return new RequestedExperiment(
                weir,
                command,
                experiment.name(),
                experiment.question(),
                experiment.seed(),
                experiment.shortened(),
                experiment.variants().stream()
                        .map(v -> new Variant(
                                v.name(),
                                experiment.onlySearched(v) ? 0 : v.repeat(),
                                v.gridPoint(),
                                List.copyOf(v.settings().values())))
                        .toList(),
                experiment.comparisons().stream().map(CompareSpec::text).toList(),
                experiment.accepted(),
                experiment.unjudged());
    }
}
