package weir.worker;

import weir.bridge.delivery.Rung;
import weir.probe.Probe;
import weir.probe.Readings;

/** The figures by which a process on the way of an event explains where the time goes. */
record HopProbe(Rung rung) implements Probe {
    @Override
    public void look(Readings into) {
        rung.look(into::level);
    }
}
