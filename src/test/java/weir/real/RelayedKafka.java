package weir.real;

import java.nio.file.Path;
import weir.cluster.relay.Relay;
import weir.cluster.start.EmbeddedCluster;
import weir.host.Children;
import weir.host.Journal;

/** One broker behind a relay, for as long as a class of tests needs it. */
record RelayedKafka(Journal journal, Children children, EmbeddedCluster cluster, Relay relay) implements AutoCloseable {
    static RelayedKafka start(Path folder) {
        Journal journal = Journal.open(folder.resolve("relayed"));
        Children children = Children.open(journal);
        EmbeddedCluster cluster =
                EmbeddedCluster.startRelayed(Kafkas.of("4.3.1", 1).spec(), children, folder, what -> {});
        return new RelayedKafka(journal, children, cluster, Relay.before(cluster, 1));
    }

    @Override
    public void close() {
        relay.close();
        cluster.close();
        children.close();
        journal.close();
    }
}
