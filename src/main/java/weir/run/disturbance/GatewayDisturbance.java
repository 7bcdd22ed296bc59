package weir.run.disturbance;

import weir.plan.DisturbanceSpec;
import weir.run.lab.Lab;
import weir.worker.GatewayAction;

/** Something done to a gateway: the action, a word for it, and what undoes it. */
record GatewayDisturbance(Lab.Bridging bridge, int gateway, String said, GatewayAction action, GatewayAction undo)
        implements Disturbance {
    static GatewayDisturbance of(Lab.Bridging bridge, DisturbanceSpec.Outage outage) {
        int gateway = outage.gateway();
        return switch (outage.kind()) {
            case KILL -> new GatewayDisturbance(bridge, gateway, "killed", GatewayAction.KILL, GatewayAction.RESTART);
            case STOP -> new GatewayDisturbance(bridge, gateway, "stopped", GatewayAction.STOP, GatewayAction.RESTART);
            case PAUSE -> new GatewayDisturbance(bridge, gateway, "paused", GatewayAction.PAUSE, GatewayAction.RESUME);
        };
    }

    @Override
    public String announced() {
        return "gateway " + gateway + " is " + said;
    }

    @Override
    public void begin() {
        bridge.act(action, gateway);
    }

    @Override
    public void end() {
        bridge.act(undo, gateway);
    }
}
