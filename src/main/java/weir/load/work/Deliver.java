package weir.load.work;

import weir.load.Crew;
import weir.load.Stint;
import weir.load.Workload;

/** An operation sends one record, which is read back at once. */
public final class Deliver implements Workload {
    private final Workload produce = new Produce();

    @Override
    public boolean reads() {
        return true;
    }

    @Override
    public boolean readsBacklog() {
        return false;
    }

    @Override
    public void begin(Stint stint, Crew crew) {
        produce.begin(stint, crew);
    }
}
