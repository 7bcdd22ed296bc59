package weir.real;

import java.nio.file.Path;
import weir.cluster.relay.Relay;
import weir.cluster.start.EmbeddedCluster;

/** One broker behind a relay, for the tests of one class. */
record RelayedKafka(OwnKafka kafka, Relay relay) implements AutoCloseable {
    static RelayedKafka start(Path folder) {
        OwnKafka kafka = OwnKafka.startRelayed(folder, Kafkas.of("4.4.0", 1));
        return new RelayedKafka(kafka, Relay.before(kafka.cluster(), 1));
    }

    EmbeddedCluster cluster() {
        return kafka.cluster();
    }

    @Override
    public void close() {
        relay.close();
        kafka.close();
    }
}
