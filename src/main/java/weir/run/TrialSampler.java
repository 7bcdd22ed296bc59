package weir.run;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import weir.cluster.Broker;
import weir.cluster.Cluster;
import weir.probe.Footprint;
import weir.probe.Probes;
import weir.probe.Sampler;
import weir.worker.Worker;

/** Looks at the machine and at the processes of a trial once a second, and tells the tally. */
final class TrialSampler implements AutoCloseable {
    private final Sampler sampler;

    TrialSampler(TrialRecorder tally, long originNanos) {
        sampler = Sampler.start(originNanos, r -> tally.reading(r.second(), r.source(), r.metric(), r.value()));
    }

    /** The worker looks at itself: what is in its heap can be asked from inside only. */
    void watch(Cluster cluster, Path data) {
        try {
            sampler.watch("host", Probes.host(data));
        } catch (IOException e) {
            throw new UncheckedIOException("looking at the disk behind " + data, e);
        }
        for (Broker broker : cluster.brokers()) {
            if (broker.pid() > 0) {
                sampler.watch("broker-" + broker.id(), Probes.broker(broker.pid()));
            }
        }
        sampler.watch("conductor", Probes.own());
    }

    /** The folder that the brokers write to; without a broker here, the given one. */
    static Path data(Cluster cluster, Path otherwise) {
        return cluster.data().stream().findFirst().orElse(otherwise);
    }

    /** What a worker has used since its start, in all its processes. */
    static Footprint footprint(Worker worker) {
        try {
            Footprint all = new Footprint(0, 0, 0);
            for (long pid : worker.pids()) {
                all = all.plus(Footprint.of(pid));
            }
            return all;
        } catch (IOException e) {
            throw new UncheckedIOException("asking what the worker has used", e);
        }
    }

    @Override
    public void close() {
        sampler.close();
    }
}
