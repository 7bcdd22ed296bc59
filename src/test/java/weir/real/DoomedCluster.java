package weir.real;

import java.nio.file.Path;
import weir.cluster.start.EmbeddedCluster;
import weir.host.Children;
import weir.host.Journal;

/** A parent that starts a broker, pauses it, tells its pid, and waits to be killed. */
final class DoomedCluster {
    private DoomedCluster() {}

    public static void main(String[] arguments) throws Exception {
        Path state = Path.of(arguments[0]);
        Children children = Children.open(Journal.open(state));
        EmbeddedCluster cluster =
                EmbeddedCluster.start(Kafkas.of("4.3.1", 1).spec(), children, state.resolve("logs"), what -> {});
        cluster.pause(1);
        System.out.println(cluster.brokers().get(0).pid());
        Thread.sleep(600_000);
    }
}
