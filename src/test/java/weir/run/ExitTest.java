package weir.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import org.junit.jupiter.api.Test;
import weir.cluster.ClusterUnavailable;
import weir.results.value.ExpectResult;
import weir.worker.WorkerFailed;

class ExitTest {
    @Test
    void ourFaultHidesEverythingElse() {
        assertThat(Exit.worst(List.of(Exit.EXPECTATION_FAILED, Exit.OUR_FAULT, Exit.INVALID))
                        .code())
                .isEqualTo(1);
    }

    @Test
    void severalAtOnceFollowTheOrderOfTheContract() {
        assertThat(Exit.worst(List.of(Exit.INVALID, Exit.BROKEN_PROMISE)).code())
                .isEqualTo(5);
        assertThat(Exit.worst(List.of(Exit.EXPECTATION_FAILED, Exit.INVALID)).code())
                .isEqualTo(4);
        assertThat(Exit.worst(List.of(Exit.REGRESSION, Exit.EXPECTATION_FAILED)).code())
                .isEqualTo(99);
        assertThat(Exit.worst(List.of(Exit.FINE, Exit.REGRESSION)).code()).isEqualTo(98);
    }

    @Test
    void aTrialWhoseWorkerOrClusterOrDiskFailedIsNotWholeAndNoFaultOfOurs() {
        assertThat(Exit.of(new WorkerFailed("worker 7 ended with exit code 3"), false))
                .isEqualTo(Exit.INVALID);
        assertThat(Exit.of(new ClusterUnavailable("nobody answers"), false)).isEqualTo(Exit.INVALID);
        UncheckedIOException full =
                new UncheckedIOException("writing to trials", new IOException("No space left on device"));
        assertThat(Exit.of(full, false)).isEqualTo(Exit.INVALID);
        assertThat(Exit.of(new IllegalStateException("a bug"), false)).isEqualTo(Exit.OUR_FAULT);
        BrokersGone gone = new BrokersGone(new ClusterUnavailable("nobody answers"));
        assertThat(Exit.of(gone, false)).isEqualTo(Exit.BROKEN_PROMISE);
        assertThat(Exit.of(new BrokersGone(full), false)).isEqualTo(Exit.INVALID);
    }

    @Test
    void anExpectationThatIsUndecidedIsNotMet() {
        assertThat(expected(ExpectResult.PASSED)).isEqualTo(Exit.FINE);
        assertThat(expected(ExpectResult.FAILED)).isEqualTo(Exit.EXPECTATION_FAILED);
        assertThat(expected(ExpectResult.UNDECIDED)).isEqualTo(Exit.EXPECTATION_FAILED);
    }

    private static Exit expected(String verdict) {
        ExpectResult passed = new ExpectResult("lost = 0", ExpectResult.PASSED, 0.0, null, null, null, null);
        ExpectResult other = new ExpectResult("response p99 < 5ms", verdict, 5.0, null, null, null, null);
        return Exit.of(List.of(passed, other));
    }

    @Test
    void nothingWrongIsFine() {
        assertThat(Exit.worst(List.of()).code()).isZero();
    }
}
