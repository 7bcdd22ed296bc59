package weir.run;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import weir.judge.caveat.CaveatCollector;
import weir.judge.caveat.Promises;
import weir.judge.trial.JudgedTrial;
import weir.judge.trial.TrialJudge;
import weir.plan.Experiment;
import weir.plan.RecordKeys;
import weir.plan.SearchSpec;
import weir.plan.Variant;
import weir.plan.trial.Trials;
import weir.results.RunFolder;
import weir.results.RunResult;
import weir.results.value.Caveat;
import weir.results.value.SearchResults;
import weir.results.value.SearchResults.SearchResult;
import weir.run.Runner.CanaryWatch;
import weir.search.AdaptiveSearch;
import weir.search.AdaptiveSearches;
import weir.search.FixedTrials;
import weir.search.Search;

/**
 * The judge of a finished run, which uses only the folder of the run. It computes the results of all trials and
 * searches, and the conclusion, from the raw files again. It starts nothing and writes no file.
 */
public final class RunJudge {
    private final RunFolder folder;
    private final RunResult before;
    private final Map<Path, JudgedTrial> trials = new LinkedHashMap<>();

    public RunJudge(RunFolder folder) {
        this.folder = folder;
        this.before = folder.concluded();
        Stream.of(folder.trials(), folder.searched(), folder.profiled())
                .flatMap(List::stream)
                .filter(trial -> trial.finished()
                        || before.trials().stream()
                                .anyMatch(one -> one.trial() == trial.started().trial()))
                .forEach(trial -> trials.put(trial.path(), new TrialJudge(trial).judged()));
    }

    public Map<Path, JudgedTrial> trials() {
        return Collections.unmodifiableMap(trials);
    }

    /** Returns the conclusion of the run with the answers of its searches. */
    public RunResult judged(Experiment experiment, RunOptions options) {
        return new Judgement(experiment, options).conclude();
    }

    private final class Judgement {
        private final Experiment experiment;
        private final RunOptions options;
        private final List<Caveat> caveats = new ArrayList<>();
        private final List<JudgedTrial> judged = new ArrayList<>();
        private SearchResults found = SearchResults.NONE;
        private boolean whole = true;

        Judgement(Experiment experiment, RunOptions options) {
            this.experiment = experiment;
            this.options = options;
        }

        RunResult conclude() {
            for (SearchSpec spec : experiment.adaptive()) {
                experiment.searched(spec).forEach(variant -> search(spec, variant));
            }
            FixedTrials list = new FixedTrials(experiment, Trials.of(experiment), () -> found.capacities());
            whole &= replayed(list);
            if (!folder.canaries().after().isEmpty()) {
                accept(CanaryWatch.caveats(folder.canaries(), experiment));
            }
            RunSummary summary = new RunSummary(experiment, folder, judged, found, list.found());
            accept(summary.caveats());
            List<Exit> exits = trials.values().stream()
                    .map(trial -> Promises.kept(trial.folder(), trial.result()) ? Exit.FINE : Exit.BROKEN_PROMISE)
                    .toList();
            RunResult result = summary.conclude(caveats, whole, options.strict(), exits);
            // No file of an incomplete run says why it ended.
            return whole ? result : RecordKeys.with(result, Map.of("exit", before.exit()));
        }

        private void search(SearchSpec spec, Variant variant) {
            SearchResults earlier = found;
            AdaptiveSearch search = open(spec, variant, earlier);
            if (!replayed(search)) {
                // A resumed search, and a search with a time limit, cannot repeat its choices: its attempts are facts.
                SearchResults seeded = earlier;
                for (SearchResult stored : folder.found().all()) {
                    seeded = stored.of().equals(variant.name()) ? seeded.with(stored) : seeded;
                }
                search = open(spec, variant, seeded);
                whole &= search.next() instanceof Search.Next.Done;
            }
            found = earlier.with(search.result());
            accept(search.caveats());
        }

        private AdaptiveSearch open(SearchSpec spec, Variant variant, SearchResults earlier) {
            Map<Integer, List<Caveat>> known = new HashMap<>();
            trials.values().stream()
                    .filter(trial ->
                            trial.folder().path().startsWith(folder.path().resolve("search")))
                    .forEach(trial -> known.put(trial.result().trial(), trial.caveats()));
            return new AdaptiveSearches(earlier, known, () -> 0, Preflight.takes(experiment))
                    .of(spec, variant, Preflight.searchesTo(spec, options, variant));
        }

        /** Gives a search its stored trials; false if the search asks for a trial that the folder does not contain. */
        private boolean replayed(Search search) {
            Search.Next next = search.next();
            while (next instanceof Search.Next.Run run) {
                String place = run.trial().searches() ? "search" : "trials";
                @Nullable JudgedTrial trial = trials.get(
                        folder.path().resolve(place).resolve(run.trial().id()));
                if (trial == null) {
                    return false;
                }
                if (run.trial().answers()) {
                    judged.add(trial);
                    accept(trial.caveats());
                }
                search.add(trial);
                next = search.next();
            }
            return next instanceof Search.Next.Done;
        }

        private void accept(List<Caveat> more) {
            caveats.addAll(CaveatCollector.accept(more, experiment.accepted()));
        }
    }
}
