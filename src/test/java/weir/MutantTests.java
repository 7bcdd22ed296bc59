package weir;

import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.platform.engine.CancellationToken;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.support.descriptor.ClassSource;
import org.junit.platform.engine.support.descriptor.MethodSource;
import org.junit.platform.launcher.LauncherDiscoveryRequest;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherExecutionRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;

/** Test classes, run in a JVM of their own until a test fails. */
final class MutantTests implements TestExecutionListener {
    /** How long others that run beside a test that failed may take to end. */
    private static final int ENDING_SECONDS = 15;

    /** As Maven runs them. */
    private static final Map<String, String> PARALLEL = Map.of(
            "junit.jupiter.execution.parallel.enabled", "true",
            "junit.jupiter.execution.parallel.mode.default", "same_thread",
            "junit.jupiter.execution.parallel.mode.classes.default", "concurrent",
            "junit.jupiter.execution.parallel.config.strategy", "fixed",
            "junit.jupiter.execution.parallel.config.fixed.parallelism", "4",
            "junit.jupiter.execution.parallel.config.fixed.max-pool-size", "4");

    private final Path result;
    private final CancellationToken token = CancellationToken.create();
    private final AtomicBoolean failed = new AtomicBoolean();
    private final AtomicLong passed = new AtomicLong();

    private MutantTests(Path result) {
        this.result = result;
    }

    /** Writes what came of the tests to the file that is named first: {@code failed CLASS TEST} or {@code passed COUNT}. */
    public static void main(String... args) {
        MutantTests tests = new MutantTests(Path.of(args[0]));
        tests.run(List.of(args).subList(1, args.length));
        // Children that a fault keeps from being ended.
        ProcessHandle.current().descendants().forEach(ProcessHandle::destroyForcibly);
        System.exit(0);
    }

    private void run(List<String> classes) {
        LauncherDiscoveryRequest request = LauncherDiscoveryRequestBuilder.request()
                .selectors(classes.stream().map(name -> selectClass(name)).toList())
                .configurationParameters(PARALLEL)
                .build();
        LauncherFactory.create()
                .execute(LauncherExecutionRequestBuilder.request(request)
                        .cancellationToken(token)
                        .listeners(this)
                        .build());
        if (!failed.get()) {
            write("passed " + passed);
        }
    }

    @Override
    public void executionFinished(TestIdentifier test, TestExecutionResult outcome) {
        if (outcome.getStatus() == TestExecutionResult.Status.SUCCESSFUL && test.isTest()) {
            passed.incrementAndGet();
        }
        if (outcome.getStatus() == TestExecutionResult.Status.FAILED && failed.compareAndSet(false, true)) {
            write("failed " + name(test));
            token.cancel();
            CompletableFuture.delayedExecutor(ENDING_SECONDS, TimeUnit.SECONDS)
                    .execute(() -> Runtime.getRuntime().halt(1));
        }
    }

    private static String name(TestIdentifier test) {
        String type = test.getSource()
                .map(source -> source instanceof MethodSource method
                        ? method.getClassName()
                        : source instanceof ClassSource whole ? whole.getClassName() : "")
                .orElse("");
        String method = test.getSource()
                .map(source -> source instanceof MethodSource one ? "." + one.getMethodName() : "")
                .orElse("");
        return type + " " + type.replaceFirst(".*\\.", "") + method;
    }

    private void write(String text) {
        try {
            Files.writeString(result, text);
        } catch (IOException e) {
            throw new UncheckedIOException("writing " + result, e);
        }
    }
}
