package weir.plan.trial;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import weir.plan.Experiment;
import weir.plan.Variant;

/** The order of an experiment's trials. */
public final class Trials {
    private Trials() {}

    /**
     * Orders all variants in rounds, back and forth: A B B A, so that a constant drift affects all variants alike. The
     * first two rounds keep the order of the file. A seed shuffles later rounds, so that no periodic disturbance always
     * meets the same variant. A variant with a searched rate runs only in its search.
     */
    public static List<Trial> of(Experiment experiment) {
        List<Variant> order = new ArrayList<>(experiment.variants());
        order.removeIf(experiment::onlySearched);
        int rounds = order.stream().mapToInt(Variant::repeat).max().orElse(0);
        Random random = new Random(experiment.seed());
        Map<String, Integer> repeats = new HashMap<>();
        List<Trial> trials = new ArrayList<>();
        for (int round = 0; round < rounds; round++) {
            if (round % 2 == 1) {
                Collections.reverse(order);
            } else if (round > 0) {
                Collections.shuffle(order, random);
            }
            for (Variant variant : order) {
                if (round < variant.repeat()) {
                    int repeat = repeats.merge(variant.name(), 1, Integer::sum);
                    trials.add(new Trial(trials.size() + 1, variant, repeat));
                }
            }
        }
        return trials;
    }
}
