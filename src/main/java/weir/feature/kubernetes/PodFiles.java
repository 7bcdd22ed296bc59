package weir.feature.kubernetes;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import weir.plan.Experiment;
import weir.plan.Problem;
import weir.plan.Setting;
import weir.plan.Variant;

/** The check for files and environment variables that an experiment uses and a pod does not have. */
public final class PodFiles {
    private static final Pattern REFERENCE = Pattern.compile("\\$\\{(env|file|weir-entry):[^}]*}");
    private static final Pattern FILE =
            Pattern.compile("(during\\..+\\.)?load\\.(value\\.file|rate\\.replay)|bridge\\.config|cluster\\.classpath");
    private static final String CLIENT = "cluster.client";

    /** The limit of an experiment in bytes: that of a ConfigMap, minus its other fields. */
    private static final int LARGEST = 1_000_000;

    private PodFiles() {}

    /** Returns one problem for each missing file or variable; empty if the conductor can run in a pod. */
    public static List<Problem> missing(Experiment experiment, String text) {
        List<Problem> problems = new ArrayList<>();
        if (text.length() > LARGEST) {
            problems.add(Problem.of(
                    experiment.file().toString(),
                    "must have at most " + LARGEST + " characters for a run in pods, found '" + text.length()
                            + "'; remove unused parts"));
        }
        String own = String.valueOf(experiment.file().getFileName());
        for (Variant variant : experiment.variants()) {
            for (Setting setting : variant.settings().values()) {
                String wrong = wrong(setting, own);
                Problem problem = experiment.places().problem(variant, setting.path(), wrong);
                boolean reported =
                        problems.stream().anyMatch(other -> other.text().equals(problem.text()));
                if (!wrong.isEmpty() && !reported) {
                    problems.add(problem);
                }
            }
        }
        return problems;
    }

    private static String wrong(Setting setting, String own) {
        boolean elsewhere = setting.path().startsWith(CLIENT + ".")
                && !setting.origin().contains(own)
                && !setting.origin().startsWith("-");
        if (elsewhere) {
            return "names a file that a pod does not have; write the properties here, and secrets as"
                    + " ${secret:NAME/KEY}";
        }
        if (REFERENCE.matcher(setting.value()).find()) {
            return "names a variable or file that a pod does not have; write ${secret:NAME/KEY}, an entry of"
                    + " a Secret of the namespace";
        }
        return FILE.matcher(setting.path()).matches()
                        && !setting.value().isEmpty()
                        && !setting.value().equals("[]")
                ? "is a file that a pod does not have; remove the key, or use hosts instead of pods"
                : "";
    }
}
