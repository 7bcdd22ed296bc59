package weir.probe;

import java.util.List;

/** A process that is observed from outside, on its own machine. */
public record WatchedProcess(Kind kind, long pid) {
    public enum Kind {
        JVM,
        PROGRAM,
        /** A program that stresses its machine, with all processes that it starts. */
        STRESS
    }

    public List<Probe> probes() {
        return switch (kind) {
            case JVM -> Probes.jvm(pid);
            case PROGRAM -> Probes.process(pid);
            case STRESS -> Probes.stress(pid);
        };
    }
}
