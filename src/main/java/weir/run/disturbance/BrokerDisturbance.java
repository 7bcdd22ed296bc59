package weir.run.disturbance;

import weir.cluster.BrokerAction;
import weir.cluster.Cluster;
import weir.plan.DisturbanceSpec;

/** Something done to a broker: the action, a word for it, and what undoes it. */
record BrokerDisturbance(Cluster cluster, int broker, String said, BrokerAction action, BrokerAction undo)
        implements Disturbance {
    static BrokerDisturbance of(Cluster cluster, DisturbanceSpec.Outage outage) {
        int broker = outage.broker();
        return switch (outage.kind()) {
            case KILL -> new BrokerDisturbance(cluster, broker, "killed", BrokerAction.KILL, BrokerAction.RESTART);
            case STOP -> new BrokerDisturbance(cluster, broker, "stopped", BrokerAction.STOP, BrokerAction.RESTART);
            case PAUSE -> new BrokerDisturbance(cluster, broker, "paused", BrokerAction.PAUSE, BrokerAction.RESUME);
        };
    }

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
