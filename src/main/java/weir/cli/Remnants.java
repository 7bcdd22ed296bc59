package weir.cli;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import weir.cluster.Cluster;
import weir.cluster.ClusterUnavailable;
import weir.cluster.NamedCluster;
import weir.cluster.StrayTopics;
import weir.host.Folders;
import weir.host.Journal;
import weir.host.Leftovers;
import weir.results.RunFolder;

/**
 * What killed runs left behind. Only what a journal of ours names is removed, processes by their number and their start;
 * a run that has measured something is kept, because that is worth something.
 */
record Remnants(List<Leftovers> journals, List<NamedCluster> clusters, List<Path> emptyRuns, List<Path> halfRuns) {
    /** One of them, as it is told. */
    record Told(String kind, String what, String then) {}

    static Remnants find(Path state, Path runs) {
        Set<Path> running = new HashSet<>(Journal.running(state));
        List<Path> unconcluded = RunFolder.unconcluded(runs.toAbsolutePath().normalize()).stream()
                .filter(run -> !running.contains(run))
                .toList();
        return new Remnants(
                Journal.leftovers(state),
                NamedCluster.list(state).stream()
                        .filter(cluster ->
                                cluster.running() < cluster.processes().size())
                        .toList(),
                unconcluded.stream().filter(RunFolder::isEmpty).toList(),
                unconcluded.stream().filter(run -> !RunFolder.isEmpty(run)).toList());
    }

    List<Told> told() {
        List<Told> told = new ArrayList<>();
        for (Leftovers left : journals) {
            left.children()
                    .forEach(child -> told.add(
                            new Told("process", child.pid() + " " + program(child.pid()), "--clean kills it")));
            left.folders().forEach(folder -> told.add(new Told("folder", folder.toString(), "--clean deletes it")));
            left.topics()
                    .forEach(
                            topic -> told.add(
                                    new Told(
                                            "topic",
                                            topic.name() + " on " + topic.bootstrap(),
                                            "--clean deletes it; give --bootstrap-server and --command-config if that cluster needs them")));
        }
        for (NamedCluster cluster : clusters) {
            told.add(new Told(
                    "cluster",
                    cluster.name() + ": " + cluster.running() + " of "
                            + cluster.processes().size() + " processes run",
                    cluster.running() == 0
                            ? "--clean forgets it and deletes its data"
                            : "weir cluster stop --name " + cluster.name() + " ends it"));
        }
        emptyRuns.forEach(run -> told.add(new Told("run", run.toString(), "has measured nothing; --clean deletes it")));
        halfRuns.forEach(run -> told.add(new Told(
                "run",
                run.toString(),
                "was never concluded and is kept: weir report shows it, weir run --resume goes on with it")));
        return told;
    }

    private static String program(long pid) {
        return ProcessHandle.of(pid)
                .flatMap(process -> process.info().command())
                .map(command -> String.valueOf(Path.of(command).getFileName()))
                .orElse("");
    }

    /** Which cluster is asked for topics that were made at an address. */
    interface Door {
        Cluster at(String bootstrap);
    }

    /** Removes all that is not kept; tells what it did, a line each. */
    List<String> clean(Door door) {
        List<String> done = new ArrayList<>();
        for (Leftovers left : journals) {
            Set<Leftovers.Topic> gone = new HashSet<>();
            left.topics().stream()
                    .map(Leftovers.Topic::bootstrap)
                    .distinct()
                    .forEach(bootstrap -> gone.addAll(topics(left, bootstrap, door, done)));
            done.addAll(Journal.clear(left));
            Journal.forget(left, gone);
        }
        for (NamedCluster cluster : clusters) {
            if (cluster.running() == 0) {
                cluster.stop();
                done.add("deleted what was left of cluster '" + cluster.name() + "'");
            }
        }
        for (Path run : emptyRuns) {
            Folders.delete(run);
            done.add("deleted " + run);
        }
        return done;
    }

    private static Set<Leftovers.Topic> topics(Leftovers left, String bootstrap, Door door, List<String> done) {
        Set<Leftovers.Topic> ours = new HashSet<>(left.topics());
        ours.removeIf(topic -> !topic.bootstrap().equals(bootstrap));
        try (Cluster cluster = door.at(bootstrap);
                StrayTopics strays = StrayTopics.on(cluster)) {
            Set<String> there = strays.named();
            there.retainAll(ours.stream().map(Leftovers.Topic::name).toList());
            strays.delete(there);
            there.forEach(name -> done.add("deleted topic '" + name + "' on " + cluster.bootstrap()));
            return ours;
        } catch (ClusterUnavailable e) {
            done.add("topics are left on " + bootstrap + ": " + e.getMessage() + "; deleting " + left.journal()
                    + " forgets them");
            return Set.of();
        }
    }
}
