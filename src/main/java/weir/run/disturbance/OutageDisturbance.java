package weir.run.disturbance;

import java.util.function.Consumer;
import weir.cluster.Cluster;
import weir.host.ProcessAction;
import weir.plan.DisturbanceSpec;
import weir.worker.Bridge;

/** Something done to a broker or a server of a bridge: the action, and what undoes it. */
record OutageDisturbance(
        String announced,
        String undone,
        Consumer<ProcessAction> victim,
        ProcessAction action,
        ProcessAction undo,
        boolean endsWithBrokers)
        implements Disturbance {
    static OutageDisturbance of(Cluster cluster, Bridge bridge, DisturbanceSpec.Outage outage) {
        boolean broker = outage.broker() > 0;
        String name = outage.server().text();
        String again = name + " is started again";
        Consumer<ProcessAction> victim =
                broker ? action -> cluster.act(action, outage.broker()) : action -> bridge.act(action, outage.server());
        return switch (outage.kind()) {
            case KILL ->
                new OutageDisturbance(
                        name + " is killed", again, victim, ProcessAction.KILL, ProcessAction.RESTART, broker);
            case STOP ->
                new OutageDisturbance(
                        name + " is stopped", again, victim, ProcessAction.STOP, ProcessAction.RESTART, broker);
            case PAUSE ->
                new OutageDisturbance(
                        name + " is paused",
                        name + " is resumed",
                        victim,
                        ProcessAction.PAUSE,
                        ProcessAction.RESUME,
                        broker);
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
