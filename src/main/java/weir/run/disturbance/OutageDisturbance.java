package weir.run.disturbance;

import java.util.function.Consumer;
import weir.cluster.Cluster;
import weir.host.ProcessAction;
import weir.plan.DisturbanceSpec;
import weir.worker.Bridge;

/** Something done to a broker or a gateway: the action, and what undoes it. */
record OutageDisturbance(
        String announced,
        Consumer<ProcessAction> victim,
        ProcessAction action,
        ProcessAction undo,
        boolean endsWithBrokers)
        implements Disturbance {
    static OutageDisturbance of(Cluster cluster, Bridge bridge, DisturbanceSpec.Outage outage) {
        boolean gateway = outage.gateway() > 0;
        String name = gateway ? "gateway " + outage.gateway() : "broker " + outage.broker();
        Consumer<ProcessAction> victim = gateway
                ? action -> bridge.act(action, outage.gateway())
                : action -> cluster.act(action, outage.broker());
        return switch (outage.kind()) {
            case KILL ->
                new OutageDisturbance(name + " is killed", victim, ProcessAction.KILL, ProcessAction.RESTART, !gateway);
            case STOP ->
                new OutageDisturbance(
                        name + " is stopped", victim, ProcessAction.STOP, ProcessAction.RESTART, !gateway);
            case PAUSE ->
                new OutageDisturbance(name + " is paused", victim, ProcessAction.PAUSE, ProcessAction.RESUME, !gateway);
        };
    }

    @Override
    public void begin() {
        victim.accept(action);
    }

    @Override
    public void end() {
        victim.accept(undo);
    }
}
