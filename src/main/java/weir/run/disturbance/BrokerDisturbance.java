package weir.run.disturbance;

import weir.cluster.BrokerAction;
import weir.cluster.Cluster;

/** Something done to a broker: the action, a word for it, and what undoes it. */
record BrokerDisturbance(Cluster cluster, int broker, String said, BrokerAction action, BrokerAction undo)
        implements Disturbance {
    @Override
    public String announced() {
        return "broker " + broker + " is " + said;
    }

    @Override
    public void begin() {
        cluster.act(action, broker);
    }

    @Override
    public void end() {
        cluster.act(undo, broker);
    }

    @Override
    public boolean endsWithBrokers() {
        return true;
    }
}
