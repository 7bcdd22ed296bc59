package weir.load;

import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import weir.plan.Property;

/** An engine whose senders are those of one engine and whose receivers are those of another, on the same topics. */
public record PairedEngine(Engine sending, Engine receiving) implements Engine {
    @Override
    public int topics() {
        return sending.topics();
    }

    @Override
    public List<String> partitions() {
        return receiving.partitions();
    }

    @Override
    public long[] ends() {
        return receiving.ends();
    }

    @Override
    public long[] logEnds() {
        return receiving.logEnds();
    }

    @Override
    public boolean confirms() {
        return sending.confirms();
    }

    @Override
    public long[] ackedEnds() {
        return sending.ackedEnds();
    }

    @Override
    public long[] beginnings() {
        return receiving.beginnings();
    }

    @Override
    public long[] standing(long[] from) {
        return receiving.standing(from);
    }

    @Override
    public Sender sender(int producer) {
        return sending.sender(producer);
    }

    @Override
    public Receiver receiver(int reader, long[] from) {
        return receiving.receiver(reader, from);
    }

    @Override
    public void awaitPositions(Duration limit) {
        receiving.awaitPositions(limit);
    }

    @Override
    public Receiver verifier(List<Integer> partitions, long[] from) {
        return receiving.verifier(partitions, from);
    }

    @Override
    public void look(Figures into) {
        sending.look(into);
        receiving.look(into);
    }

    @Override
    public List<Property> properties() {
        return both(sending.properties(), receiving.properties());
    }

    @Override
    public List<String> notes() {
        return both(sending.notes(), receiving.notes());
    }

    private static <T> List<T> both(List<T> one, List<T> other) {
        Set<T> all = new LinkedHashSet<>(one);
        all.addAll(other);
        return List.copyOf(all);
    }

    @Override
    public void close() {
        try {
            sending.close();
        } finally {
            receiving.close();
        }
    }
}
