package weir.plan;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import weir.plan.read.Overrides;
import weir.plan.read.PlanReader;
import weir.plan.trial.Estimate;

/** Experiments with every kind of damage. Each is accepted, or refused with a helpful message. */
class SpoiltFilesTest {
    /** The claim is about 2,000 files, which take some seconds: {@code -Dspoilt.files=2000}. */
    private static final int FILES = Integer.getInteger("spoilt.files", 200);

    private static final long SEED = 14;
    /** By the clock of the thread, which does not run while other threads have its core. */
    private static final double LONGEST_SECONDS = 1.5;

    /** The maximum is 475 MiB, by a file with 28 variants of 645 disturbances each. */
    private static final long MOST_ALLOCATED = 600L << 20;

    private final ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    @TempDir
    private Path folder = Path.of("");

    @Test
    @Tag("long")
    void everySpoiltFileIsTakenOrRefusedWithAPlaceAndAReason() throws IOException {
        List<String> texts = new ArrayList<>();
        for (Path file : ExperimentsTest.experiments()) {
            texts.add(Files.readString(file));
        }
        Mutations mutations = new Mutations(SEED);
        List<String> wrong = new ArrayList<>();
        int taken = 0;
        for (int i = 0; i < FILES; i++) {
            Path file = folder.resolve("m.yaml");
            Files.write(file, mutations.of(texts.get(i % texts.size())));
            String fault = fault(file);
            if (fault.equals("taken")) {
                taken++;
            } else if (!fault.isEmpty()) {
                Path kept = Files.createDirectories(Path.of("target/spoilt")).resolve(i + ".yaml");
                Files.copy(file, kept, java.nio.file.StandardCopyOption.REPLACE_EXISTING);
                wrong.add(kept + ": " + fault);
            }
        }
        assertThat(wrong).isEmpty();
        // If nearly all files had the same outcome, this would test nothing.
        assertThat(taken).isBetween(FILES / 10, FILES * 9 / 10);
    }

    /** Returns an empty text for a good refusal. */
    private String fault(Path file) {
        long id = Thread.currentThread().getId();
        long cpu = threads.getThreadCpuTime(id);
        long allocated = threads.getThreadAllocatedBytes(id);
        String fault = outcome(file);
        double seconds = (threads.getThreadCpuTime(id) - cpu) / 1e9;
        long bytes = threads.getThreadAllocatedBytes(id) - allocated;
        if (seconds > LONGEST_SECONDS || bytes > MOST_ALLOCATED) {
            return String.format("took %.1f s and %d MiB (%s)", seconds, bytes >> 20, fault);
        }
        return fault;
    }

    private static String outcome(Path file) {
        try {
            Experiment experiment = PlanReader.read(file, Overrides.NONE);
            Estimate estimate = Estimate.of(experiment);
            String untold = untold(experiment.missing());
            return !untold.isEmpty() ? untold : estimate.time().isNegative() ? "estimate " + estimate : "taken";
        } catch (Problems problems) {
            return problems.list().isEmpty() ? "refused without a problem" : untold(problems.list());
        } catch (Throwable e) {
            return e + " at " + (e.getStackTrace().length == 0 ? "?" : e.getStackTrace()[0]);
        }
    }

    private static String untold(List<Problem> problems) {
        for (Problem problem : problems) {
            // The lines of a properties file are never shown, because they may contain secrets.
            boolean placed = (problem.line() > 0 && problem.column() > 0)
                    || problem.source().equals("passwd");
            boolean told = problem.message().length() >= 10
                    && problem.message().length() <= 1_000
                    && problem.text().codePoints().noneMatch(c -> Character.isISOControl(c) && c != '\n' && c != '\t');
            if (!placed || !told) {
                return (placed ? "said badly: " : "no place: ") + problem.text();
            }
        }
        return "";
    }
}
