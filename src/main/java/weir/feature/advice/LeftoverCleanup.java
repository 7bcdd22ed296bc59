package weir.feature.advice;

import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import weir.cli.DoctorOutput;
import weir.cluster.ClusterUnavailable;
import weir.cluster.start.NamedCluster;
import weir.host.Journal;
import weir.host.Leftovers;
import weir.host.Leftovers.ResourceType;
import weir.host.OwnedFolders;
import weir.plan.Problems;
import weir.plan.syntax.ShellWord;
import weir.results.RunFolder;
import weir.results.UnreadableRunException;

/**
 * The leftovers of killed runs. The cleanup removes only items in Weir's journals, and keeps each run with
 * measurements. It ends a process only if id and start time are those in the journal.
 */
record LeftoverCleanup(
        List<Leftovers> journals, List<NamedCluster> clusters, List<Path> emptyRuns, List<Path> halfRuns) {
    static LeftoverCleanup find(Path state, Path runs) {
        Path root = runs.toAbsolutePath().normalize();
        // The order matters: a run is in the journal before its folder exists, and until it has a conclusion.
        List<Path> listed = RunFolder.unconcluded(root);
        Set<Path> running = new HashSet<>(Journal.running(state));
        Set<Path> still = new HashSet<>(RunFolder.unconcluded(root));
        List<Path> unconcluded = listed.stream()
                .filter(run -> still.contains(run) && !running.contains(run))
                .toList();
        return new LeftoverCleanup(
                Journal.leftovers(state),
                NamedCluster.list(state).stream()
                        .filter(cluster ->
                                cluster.running() < cluster.processes().size())
                        .toList(),
                unconcluded.stream().filter(RunFolder::isEmpty).toList(),
                unconcluded.stream().filter(run -> !RunFolder.isEmpty(run)).toList());
    }

    List<DoctorOutput.Leftover> leftovers() {
        LeftoverList list = new LeftoverList(new ArrayList<>());
        for (Leftovers left : journals) {
            left.running()
                    .forEach(
                            child -> list.add("process", child.pid() + " " + program(child.pid()), "--clean kills it"));
            left.groups().forEach(group -> list.add("cgroup", group, "--clean removes it"));
            left.settings().forEach(set -> list.add("limit", set.file(), "--clean restores '" + set.value() + "'"));
            left.mounts().forEach(folder -> list.add("disk", folder, "--clean unmounts it"));
            left.folders().forEach(folder -> list.add("folder", folder, "--clean deletes it"));
            left.resources()
                    .forEach(resource -> list.add(
                            resource.type().word(),
                            resource.name() + " on " + resource.bootstrap(),
                            "--clean deletes it; give --bootstrap-server and --command-config if that cluster needs"
                                    + " them"));
        }
        for (NamedCluster cluster : clusters) {
            list.add(
                    "cluster",
                    cluster.name() + ": " + cluster.running() + " of "
                            + cluster.processes().size() + " processes run",
                    cluster.running() == 0
                            ? "--clean removes it and its data"
                            : "weir cluster stop --name " + cluster.name() + " stops it");
        }
        emptyRuns.forEach(run -> list.add("run", run, "has no measurement; --clean deletes it"));
        halfRuns.forEach(run -> list.add("run", run, kept(run)));
        return list.all;
    }

    private record LeftoverList(List<DoctorOutput.Leftover> all) {
        void add(String what, Object name, String remedy) {
            all.add(new DoctorOutput.Leftover(what, name.toString(), remedy));
        }
    }

    private static String kept(Path run) {
        String shows = "has no conclusion, so --clean keeps it; to see it: weir report " + ShellWord.of(run.toString());
        try {
            return shows + "; to resume it: " + RunFolder.open(run).asked().resumed(run);
        } catch (UnreadableRunException e) {
            return "is not a complete run, so --clean keeps it: " + e.getMessage();
        }
    }

    private static String program(long pid) {
        return ProcessHandle.of(pid)
                .flatMap(process -> process.info().command())
                .map(command -> String.valueOf(Path.of(command).getFileName()))
                .orElse("");
    }

    Journal.Cleared clean(String given, Function<String, Leftovers.Deletion> door) {
        List<String> done = new ArrayList<>();
        List<String> failed = new ArrayList<>();
        for (Leftovers left : journals) {
            Journal.Cleared cleared = Journal.clear(left);
            done.addAll(cleared.done());
            failed.addAll(cleared.failed());
            left.resources().stream()
                    .map(Leftovers.Resource::bootstrap)
                    .distinct()
                    .forEach(bootstrap -> resources(left, bootstrap, given, door, done, failed));
        }
        for (NamedCluster cluster : clusters) {
            if (cluster.running() == 0) {
                attempt(cluster.folder(), failed, () -> {
                    cluster.stop();
                    done.add("deleted the remains of cluster '" + cluster.name() + "'");
                });
            }
        }
        for (Path run : emptyRuns) {
            attempt(run, failed, () -> {
                if (OwnedFolders.delete(run)) {
                    done.add("deleted " + run);
                }
            });
        }
        return new Journal.Cleared(done, failed);
    }

    private static void attempt(Path folder, List<String> failed, Runnable deletion) {
        try {
            deletion.run();
        } catch (UncheckedIOException e) {
            failed.add(Journal.undeleted(folder, e));
        }
    }

    /** Removes groups first, because a consumer would create its topic again on brokers with auto-creation. */
    private static void resources(
            Leftovers left,
            String bootstrap,
            String given,
            Function<String, Leftovers.Deletion> door,
            List<String> done,
            List<String> failed) {
        List<Leftovers.Resource> there = left.resources().stream()
                .filter(resource -> resource.bootstrap().equals(bootstrap))
                .sorted(Comparator.comparing(Leftovers.Resource::type).reversed())
                .toList();
        String address = found(there, bootstrap, given, door) ? given : bootstrap;
        try (Leftovers.Deletion strays = door.apply(address)) {
            Set<String> topics = strays.topics(names(there, ResourceType.TOPIC));
            for (Leftovers.Resource resource : there) {
                try {
                    if (resource.type() != ResourceType.TOPIC || topics.contains(resource.name())) {
                        strays.delete(resource);
                    }
                    done.add(resource.type().word() + " '" + resource.name() + "' was removed from " + address);
                    Journal.forget(left, List.of(resource));
                } catch (ClusterUnavailable e) {
                    failed.add(left(resource.type(), List.of(resource.name()), bootstrap, e, left.journal()));
                }
            }
        } catch (ClusterUnavailable | Problems e) {
            for (ResourceType type : ResourceType.values()) {
                List<String> names = names(there, type);
                if (!names.isEmpty()) {
                    failed.add(left(type, names, bootstrap, e, left.journal()));
                }
            }
        }
    }

    private static boolean found(
            List<Leftovers.Resource> made, String bootstrap, String given, Function<String, Leftovers.Deletion> door) {
        if (given.isEmpty() || given.equals(bootstrap)) {
            return false;
        }
        try (Leftovers.Deletion strays = door.apply(given)) {
            return !strays.topics(names(made, ResourceType.TOPIC)).isEmpty();
        } catch (ClusterUnavailable | Problems e) {
            return false;
        }
    }

    private static List<String> names(List<Leftovers.Resource> resources, ResourceType type) {
        return resources.stream()
                .filter(resource -> resource.type() == type)
                .map(Leftovers.Resource::name)
                .toList();
    }

    private static String left(
            ResourceType type, List<String> names, String bootstrap, RuntimeException why, Path journal) {
        String tool = switch (type) {
            case TOPIC -> "kafka-topics.sh --bootstrap-server %s --delete --topic %s";
            case GROUP -> "kafka-consumer-groups.sh --bootstrap-server %s --delete --group %s";
            case THROTTLE ->
                "kafka-configs.sh --bootstrap-server %s --alter --entity-type brokers --entity-name ID --delete-config"
                        + " leader.replication.throttled.rate,follower.replication.throttled.rate";
        };
        String words = names.stream()
                .map(ShellWord::of)
                .collect(Collectors.joining(type == ResourceType.TOPIC ? "," : " --group "));
        return type.word() + (names.size() > 1 ? "s " : " ") + String.join(", ", names) + " on " + bootstrap
                + " may remain: " + why.getMessage()
                + "; retry with --bootstrap-server and --command-config if that"
                + " cluster needs them, or delete by hand: " + String.format(tool, ShellWord.of(bootstrap), words)
                + "; rm " + ShellWord.of(journal.toString()) + " removes them from the journal";
    }
}
