package weir.run.disturbance;

import java.util.ArrayList;
import java.util.List;

/** The same disturbance on several hosts: all of it is undone, also when a part of it could not begin or end. */
final class DisturbanceGroup implements Disturbance {
    private final List<String> hosts;
    private final List<Disturbance> parts;
    private final List<Disturbance> begun = new ArrayList<>();

    /** @param parts one for each of the hosts */
    DisturbanceGroup(List<String> hosts, List<? extends Disturbance> parts) {
        this.hosts = List.copyOf(hosts);
        this.parts = List.copyOf(parts);
    }

    @Override
    public String announced() {
        List<String> said = parts.stream().map(Disturbance::announced).toList();
        return said.get(0) + ", on " + String.join(", ", hosts);
    }

    @Override
    public void begin() {
        try {
            for (Disturbance part : parts) {
                part.begin();
                begun.add(part);
            }
        } catch (RuntimeException e) {
            try {
                end();
            } catch (RuntimeException another) {
                e.addSuppressed(another);
            }
            throw e;
        }
    }

    @Override
    public void end() {
        RuntimeException failure = null;
        for (Disturbance part : begun) {
            try {
                part.end();
            } catch (RuntimeException e) {
                if (failure == null) {
                    failure = e;
                } else {
                    failure.addSuppressed(e);
                }
            }
        }
        begun.clear();
        if (failure != null) {
            throw failure;
        }
    }
}
