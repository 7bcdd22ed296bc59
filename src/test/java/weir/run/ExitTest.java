package weir.run;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ExitTest {
    @Test
    void ourFaultHidesEverythingElse() {
        assertThat(Exit.worst(Exit.EXPECTATION_FAILED, Exit.OUR_FAULT, Exit.INVALID)
                        .code())
                .isEqualTo(1);
    }

    @Test
    void severalAtOnceFollowTheOrderOfTheContract() {
        assertThat(Exit.worst(Exit.INVALID, Exit.BROKEN_PROMISE).code()).isEqualTo(5);
        assertThat(Exit.worst(Exit.EXPECTATION_FAILED, Exit.INVALID).code()).isEqualTo(4);
        assertThat(Exit.worst(Exit.REGRESSION, Exit.EXPECTATION_FAILED).code()).isEqualTo(99);
        assertThat(Exit.worst(Exit.FINE, Exit.REGRESSION).code()).isEqualTo(98);
    }

    @Test
    void nothingWrongIsFine() {
        assertThat(Exit.worst().code()).isZero();
    }
}
