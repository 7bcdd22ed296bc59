package weir.run.disturbance;

import weir.run.lab.Lab;

/** A disturbance of a broker that is watched from outside. */
record WatchedDisturbance(Disturbance disturbance, BrokerWatch watch, Lab lab) implements Disturbance {
    @Override
    public String announced() {
        return disturbance.announced();
    }

    /** It is watched from before it begins: an orderly stop takes a while, and others take over meanwhile. */
    @Override
    public void begin() {
        watch.begin();
        disturbance.begin();
    }

    @Override
    public void end() {
        long begun = lab.nanos();
        disturbance.end();
        watch.end(begun);
    }

    @Override
    public String undone() {
        return disturbance.undone();
    }

    @Override
    public boolean endsWithBrokers() {
        return disturbance.endsWithBrokers();
    }
}
