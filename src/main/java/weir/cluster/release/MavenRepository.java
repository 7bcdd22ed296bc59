package weir.cluster.release;

import eu.maveniverse.maven.mima.context.Context;
import eu.maveniverse.maven.mima.context.ContextOverrides;
import eu.maveniverse.maven.mima.context.Runtimes;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.eclipse.aether.artifact.DefaultArtifact;
import org.eclipse.aether.collection.CollectRequest;
import org.eclipse.aether.graph.Dependency;
import org.eclipse.aether.graph.Exclusion;
import org.eclipse.aether.resolution.ArtifactRequest;
import org.eclipse.aether.resolution.ArtifactResolutionException;
import org.eclipse.aether.resolution.ArtifactResult;
import org.eclipse.aether.resolution.DependencyRequest;
import org.eclipse.aether.resolution.DependencyResolutionException;
import org.eclipse.aether.transfer.AbstractTransferListener;
import org.eclipse.aether.transfer.ArtifactNotFoundException;
import org.eclipse.aether.transfer.RepositoryOfflineException;
import org.eclipse.aether.transfer.TransferEvent;
import weir.cluster.ClusterUnavailable;
import weir.cluster.Progress;
import weir.host.HomeFolders;

/** The Maven repositories that the user's own settings and environment variables name. */
final class MavenRepository {
    // Kafka's POM has slf4j-api 1.7.36 and no binding. Kafka's own distributions contain these bindings.
    private static final String BINDING_3 = "org.slf4j:slf4j-reload4j:1.7.36";
    private static final String BINDING_4 = "org.apache.logging.log4j:log4j-slf4j-impl:2.25.4";

    private static final String LOCAL = "maven.repo.local";
    private static final String BROKER = "org.apache.kafka:kafka_2.13:";

    private MavenRepository() {}

    static List<Path> resolve(KafkaVersion version, boolean tools, Progress progress) {
        try (Context maven = open(progress)) {
            CollectRequest collect =
                    new CollectRequest(dependencies(version, tools), List.of(), maven.remoteRepositories());
            return maven
                    .repositorySystem()
                    .resolveDependencies(maven.repositorySystemSession(), new DependencyRequest(collect, null))
                    .getArtifactResults()
                    .stream()
                    .map(ArtifactResult::getArtifact)
                    .map(artifact -> artifact.getFile().toPath().toAbsolutePath())
                    .toList();
        } catch (DependencyResolutionException e) {
            if (absent(e)) {
                throw notReleased(version);
            }
            throw new ClusterUnavailable(
                    "Kafka " + version + " is not in the local Maven repository and could not be fetched (" + last(e)
                            + "); run 'weir cluster fetch " + version
                            + "' once with a network, or set a mirror or proxy in"
                            + " ~/.m2/settings.xml",
                    e);
        }
    }

    /**
     * Returns the repository and settings that Maven would use.
     *
     * @param local the repository of the Maven that started this process; empty if it did not name one
     */
    static ContextOverrides.Builder overrides(String local, Map<String, String> environment) {
        ContextOverrides.Builder overrides = ContextOverrides.create().withUserSettings(true);
        List<String> words = new ArrayList<>();
        // In Maven, a property of the command line overrides a property of the JVM.
        for (String variable : List.of("MAVEN_OPTS", "MAVEN_ARGS")) {
            words.addAll(List.of(environment.getOrDefault(variable, "").strip().split("\\s+")));
        }
        words.add("-D" + LOCAL + "=" + local);
        for (int i = 0; i < words.size(); i++) {
            String word = words.get(i);
            String value = word.substring(word.indexOf('=') + 1);
            if (word.startsWith("-D" + LOCAL + "=") && !value.isEmpty()) {
                overrides.withLocalRepositoryOverride(Path.of(value).toAbsolutePath());
            } else if ((word.equals("-s") || word.equals("--settings")) && i + 1 < words.size()) {
                overrides.withUserSettingsXmlOverride(Path.of(words.get(i + 1)).toAbsolutePath());
            }
        }
        return overrides;
    }

    /**
     * Looks a release up without downloading its jars. If no repository answered, returns the reasons.
     *
     * @throws ClusterUnavailable if no repository has the release
     */
    static List<String> ask(KafkaVersion version) {
        try (Context maven = open(what -> {})) {
            maven.repositorySystem()
                    .resolveArtifact(
                            maven.repositorySystemSession(),
                            new ArtifactRequest(
                                    new DefaultArtifact(BROKER + "pom:" + version), maven.remoteRepositories(), null));
            return List.of();
        } catch (ArtifactResolutionException e) {
            if (absent(e)) {
                throw notReleased(version);
            }
            return List.of("it is unknown whether Kafka " + version + " exists: the Maven repositories did not"
                    + " answer (" + last(e) + ")");
        }
    }

    private static Context open(Progress progress) {
        if (HomeFolders.ofThisUser().home().isEmpty()) {
            throw new ClusterUnavailable(
                    "this user has no home folder for the downloads of Maven; set HOME to a writable folder");
        }
        return Runtimes.INSTANCE
                .getRuntime()
                .create(overrides(System.getProperty(LOCAL, ""), System.getenv())
                        .transferListener(new DownloadProgress(progress))
                        .build());
    }

    private static ClusterUnavailable notReleased(KafkaVersion version) {
        return new ClusterUnavailable("cluster.kafka: '" + version + "' is not a release of Kafka: no Maven repository"
                + " has it; the newest release that Weir was tested with is " + KafkaVersion.TRIED.last());
    }

    private static List<Dependency> dependencies(KafkaVersion version, boolean tools) {
        List<Dependency> dependencies = new ArrayList<>();
        dependencies.add(dependency(BROKER + version, List.of()));
        dependencies.add(dependency(version.major() < 4 ? BINDING_3 : BINDING_4, List.of()));
        if (tools) {
            // The tools depend on Connect and its web server, which no measuring tool needs.
            Exclusion connect = new Exclusion("org.apache.kafka", "connect-runtime", "*", "*");
            dependencies.add(dependency("org.apache.kafka:kafka-tools:" + version, List.of(connect)));
        }
        return dependencies;
    }

    private static Dependency dependency(String coordinates, List<Exclusion> exclusions) {
        return new Dependency(new DefaultArtifact(coordinates), "runtime", false, exclusions);
    }

    private static boolean absent(Throwable e) {
        return causes(e).anyMatch(ArtifactNotFoundException.class::isInstance)
                && causes(e)
                        .noneMatch(cause ->
                                cause instanceof java.io.IOException || cause instanceof RepositoryOfflineException);
    }

    private static String last(Throwable e) {
        return causes(e).reduce((first, second) -> second).orElse(e).toString();
    }

    private static Stream<Throwable> causes(Throwable e) {
        return Stream.iterate(e, cause -> cause != null, Throwable::getCause);
    }

    private static final class DownloadProgress extends AbstractTransferListener {
        private final Progress progress;

        DownloadProgress(Progress progress) {
            this.progress = progress;
        }

        @Override
        public void transferInitiated(TransferEvent event) {
            Path name = Path.of(event.getResource().getResourceName()).getFileName();
            if (name.toString().endsWith(".jar")) {
                progress.report("fetching " + name);
            }
        }
    }
}
