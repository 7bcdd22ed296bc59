package weir.bridge.delivery;

import java.util.function.LongSupplier;

/** Writes down what becomes of the events of the first subscriber. */
final class DispatchFigures implements Dispatching {
    private final RungFigures figures;
    private final boolean fetched;
    private final LongSupplier clock;

    /** {@code fetched}: events come out of Kafka, and begin there. */
    DispatchFigures(RungFigures figures, boolean fetched, LongSupplier clock) {
        this.figures = figures;
        this.fetched = fetched;
        this.clock = clock;
    }

    @Override
    public void settled(HeldEvent event, Fate fate, Outcome outcome) {
        switch (fate) {
            case DELIVERED -> delivered(event, outcome);
            case PARKED -> figures.count(RungFigures.Fact.PARKED);
            case DROPPED -> figures.count(RungFigures.Fact.DROPPED);
        }
    }

    private void delivered(HeldEvent event, Outcome outcome) {
        long now = clock.getAsLong();
        if (fetched) {
            figures.age(RungFigures.Checkpoint.FETCHED, event.event(), event.beginNanos());
        }
        figures.age(RungFigures.Checkpoint.OUT, event.event(), outcome.outNanos());
        figures.age(RungFigures.Checkpoint.ANSWERED, event.event(), now);
        figures.took(RungFigures.Part.WAITING, event.event(), event.firstOutNanos() - event.beginNanos());
        figures.took(RungFigures.Part.DELIVERING, event.event(), now - outcome.outNanos());
        figures.count(RungFigures.Fact.DELIVERED);
    }

    @Override
    public void retried(HeldEvent event) {
        figures.count(RungFigures.Fact.RETRIED);
    }
}
