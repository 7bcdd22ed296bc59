package weir.feature.profile;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import weir.plan.ProfileSpec;

class ProfileDifferenceTest {
    /** Samples of 2 ms of CPU while so many records were carried. */
    private static ProfileScale cpu(double records) {
        return ProfileScale.of(ProfileSpec.Event.CPU, 0.002, 1, records, 10);
    }

    @Test
    void costsAreThoseOfARecordAndNotOfASecond() {
        StackTree tree = new StackTree();
        tree.add("[pool];run", 1_000);
        tree.addSecond("[pool];run", 2_000);
        ProfileDifference difference = new ProfileDifference(tree, cpu(100_000), cpu(200_000));
        assertThat(difference.whole().before()).isCloseTo(20, within(1e-9));
        assertThat(difference.whole().after()).isCloseTo(20, within(1e-9));
        assertThat(difference.whole().beyond()).isFalse();
    }

    @Test
    void aMethodThatIsOnlyInOneIsFoundAndComesFirst() {
        StackTree tree = new StackTree();
        tree.add("[pool];run;work", 1_000);
        tree.addSecond("[pool];run;work", 1_010);
        tree.addSecond("[pool];run;hot", 400);
        ProfileDifference difference = new ProfileDifference(tree, cpu(100_000), cpu(100_000));
        ProfileDifference.Change first = difference.changes().get(0);
        assertThat(first.name()).isEqualTo("hot");
        assertThat(first.before()).isZero();
        assertThat(first.after()).isCloseTo(8, within(1e-9));
        assertThat(first.itself()).isCloseTo(8, within(1e-9));
        assertThat(first.beyond()).isTrue();
        assertThat(difference.changes())
                .filteredOn(change -> change.name().equals("work"))
                .singleElement()
                .satisfies(change -> assertThat(change.beyond()).isFalse());
    }

    @Test
    void oneSampleMoreThanNoneIsNoDifference() {
        ProfileScale scale = cpu(1_000);
        assertThat(scale.differs(0, scale, 1)).isFalse();
        assertThat(scale.differs(0, scale, 4)).isFalse();
        assertThat(scale.differs(0, scale, 20)).isTrue();
    }

    @Test
    void aSampleThatWeighsMuchIsOneSample() {
        ProfileScale bytes = ProfileScale.of(ProfileSpec.Event.ALLOC, 1, 524_288, 1_000, 10);
        assertThat(bytes.differs(0, bytes, 4 * 524_288)).isFalse();
        assertThat(bytes.cost(524_288)).isCloseTo(524.288, within(1e-9));
    }

    /** A wait of a second among a thousand of 20 µs makes no difference by itself. */
    @Test
    void oneLongWaitAmongManyShortOnesIsChance() {
        double sum = 1_000 * 20e3 + 1e9;
        double squares = 1_000 * 20e3 * 20e3 + 1e18;
        ProfileScale waits = ProfileScale.of(ProfileSpec.Event.LOCK, 1e-9, squares / sum, 1_000, 10);
        assertThat(waits.differs(0, waits, 1_000_000_000L)).isFalse();
        ProfileScale even = ProfileScale.of(ProfileSpec.Event.LOCK, 1e-9, 20e3, 1_000, 10);
        assertThat(even.differs(0, even, 1_000_000_000L)).isTrue();
    }

    @Test
    void wallClockIsComparedBySeconds() {
        ProfileScale wall = ProfileScale.of(ProfileSpec.Event.WALL, 0.02, 1, 0, 10);
        assertThat(wall.cost(5_000)).isCloseTo(10, within(1e-9));
        assertThat(ProfileScale.unit(ProfileSpec.Event.WALL)).isEqualTo("threads");
    }

    /** Twice the same code, looked at by chance: of a thousand frames hardly any differs. */
    @Test
    void whatIsTheSameDiffersOncePerHundredAtTheMost() {
        SplittableRandom random = new SplittableRandom(7);
        ProfileScale scale = cpu(1);
        int differs = 0;
        for (int frame = 0; frame < 1_000; frame++) {
            double mean = 1 + frame / 10.0;
            differs += scale.differs(poisson(mean, random), scale, poisson(mean, random)) ? 1 : 0;
        }
        assertThat(differs).isLessThanOrEqualTo(10);
    }

    private static long poisson(double mean, SplittableRandom random) {
        long count = 0;
        for (double sum = -Math.log(1 - random.nextDouble()); sum < mean; sum -= Math.log(1 - random.nextDouble())) {
            count++;
        }
        return count;
    }
}
