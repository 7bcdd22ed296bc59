package weir.real;

import java.nio.file.Path;
import weir.cluster.Impairment;
import weir.cluster.start.EmbeddedCluster;
import weir.cluster.start.StartOptions;
import weir.host.Children;
import weir.host.Journal;
import weir.plan.DisturbanceSpec;

/** A cluster in its own folder, with the journal and the children that manage its processes. */
public record OwnKafka(Journal journal, Children children, EmbeddedCluster cluster) implements AutoCloseable {
    public static OwnKafka start(Path folder, Kafkas asked) {
        Journal journal = Journal.open(folder.resolve("state"));
        Children children = Children.open(journal);
        return new OwnKafka(
                journal, children, EmbeddedCluster.start(asked.spec(), children, folder.resolve("logs"), what -> {}));
    }

    /** Starts brokers that are also reachable through relays, which the test adds. */
    public static OwnKafka startRelayed(Path folder, Kafkas asked) {
        Journal journal = Journal.open(folder.resolve("state"));
        Children children = Children.open(journal);
        return new OwnKafka(
                journal,
                children,
                EmbeddedCluster.start(
                        asked.spec(),
                        children,
                        folder.resolve("logs"),
                        StartOptions.plain().relayed(cluster -> unrelayed()),
                        what -> {}));
    }

    private static StartOptions.Relaying unrelayed() {
        return new StartOptions.Relaying() {
            @Override
            public Impairment impair(DisturbanceSpec.Network asked) {
                throw new UnsupportedOperationException();
            }

            @Override
            public void close() {}
        };
    }

    @Override
    public void close() {
        cluster.close();
        children.close();
        journal.close();
    }
}
