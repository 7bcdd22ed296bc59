package weir.feature.tune;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import weir.feature.tune.TuneResult.Effect;
import weir.feature.tune.TuneResult.Finalist;
import weir.feature.tune.TuneResult.TuneTrial;
import weir.feature.tune.TuneResult.Verdict;

class TuneJudgeTest {
    private static final String LINGER = "load.producer.linger.ms";
    private static final String ACKS = "load.producer.acks";
    private static final int ROUNDS = 4;

    private final List<TuneTrial> trials = new ArrayList<>();

    private static Durability durability(SortedMap<String, String> settings) {
        return settings.getOrDefault(ACKS, "all").equals("1")
                ? new Durability(1, 1, false)
                : new Durability(2, 2, true);
    }

    private static SortedMap<String, String> set(String... pairs) {
        SortedMap<String, String> settings = new TreeMap<>();
        for (int i = 0; i < pairs.length; i += 2) {
            settings.put(pairs[i], pairs[i + 1]);
        }
        return settings;
    }

    private void finals(SortedMap<String, String> settings, double rate, double millis, double noise, Random random) {
        for (int round = 1; round <= ROUNDS; round++) {
            tried(
                    settings,
                    round,
                    rate * Math.exp(noise * random.nextGaussian()),
                    millis * Math.exp(noise * random.nextGaussian()));
        }
    }

    private void tried(SortedMap<String, String> settings, int round, double rate, double millis) {
        trials.add(new TuneTrial(trials.size() + 1, settings, round, false, rate, millis * 50, 2.0, 5));
        trials.add(new TuneTrial(trials.size() + 1, settings, round, true, 100.0, millis, 3.0, 5));
    }

    private List<Finalist> judged() {
        return TuneJudge.finalists(trials, TuneJudgeTest::durability);
    }

    private Finalist judged(SortedMap<String, String> settings) {
        return judged().stream()
                .filter(one -> one.settings().equals(settings))
                .findFirst()
                .orElseThrow();
    }

    @Test
    void dominatingFinalistBeatsTheDefaults() {
        Random random = new Random(1);
        finals(set(), 1_000, 10, 0.02, random);
        finals(set(LINGER, "5"), 2_000, 10, 0.02, random);
        finals(set(LINGER, "100"), 3_000, 30, 0.02, random);
        finals(set(LINGER, "0"), 500, 20, 0.02, random);
        assertThat(judged().get(0).verdict()).isEqualTo(Verdict.DEFAULTS);
        Finalist better = judged(set(LINGER, "5"));
        assertThat(better.verdict()).isEqualTo(Verdict.BETTER);
        assertThat(better.throughput().ratio()).isCloseTo(2, within(0.05));
        assertThat(better.micros()).as("of trials as fast as it goes").isCloseTo(2, within(1e-9));
        assertThat(judged(set(LINGER, "100")).verdict()).isEqualTo(Verdict.TRADES);
        assertThat(judged(set(LINGER, "0")).verdict()).isEqualTo(Verdict.WORSE);
        assertThat(judged())
                .filteredOn(Finalist::front)
                .extracting(Finalist::settings)
                .containsExactly(set(LINGER, "100"), set(LINGER, "5"));
    }

    @Test
    void fasterButLessDurableFinalistTrades() {
        Random random = new Random(2);
        finals(set(), 1_000, 10, 0.02, random);
        finals(set(ACKS, "1"), 2_000, 5, 0.02, random);
        Finalist found = judged(set(ACKS, "1"));
        assertThat(found.verdict()).isEqualTo(Verdict.TRADES);
        assertThat(judged()).as("the defaults lose less").allMatch(Finalist::front);
    }

    @Test
    void finalistWithoutThroughputIsWorse() {
        Random random = new Random(4);
        finals(set(), 1_000, 10, 0.02, random);
        for (int round = 1; round <= ROUNDS; round++) {
            trials.add(new TuneTrial(trials.size() + 1, set(LINGER, "5"), round, false, null, null, null, 5));
            trials.add(new TuneTrial(trials.size() + 1, set(LINGER, "5"), round, true, null, null, null, 5));
        }
        assertThat(judged(set(LINGER, "5")).verdict()).isEqualTo(Verdict.WORSE);
    }

    @Test
    void trialsBeforeTheFinalsGiveNoFigure() {
        Random random = new Random(3);
        tried(set(LINGER, "5"), 0, 1e9, 0.001);
        finals(set(), 1_000, 10, 0.02, random);
        finals(set(LINGER, "5"), 1_000, 10, 0.02, random);
        Finalist found = judged(set(LINGER, "5"));
        assertThat(found.trials()).isEqualTo(ROUNDS);
        assertThat(found.perSecond()).isCloseTo(1_000, within(50.0));
        assertThat(found.verdict()).isEqualTo(Verdict.NOT_DISTINGUISHABLE);
    }

    /** The finals are independent of the choice of the finalists. So a false claim is as rare as the error level. */
    @ParameterizedTest
    @ValueSource(doubles = {0.02, 0.06, 0.15})
    void atMostFivePercentOfRunsWithoutEffectsNameASetting(double noise) {
        int named = 0;
        int runs = 1_000;
        for (int run = 0; run < runs; run++) {
            trials.clear();
            Random random = new Random(run);
            finals(set(), 1_000, 10, noise, random);
            for (int i = 0; i < 6; i++) {
                finals(set(LINGER, String.valueOf(i)), 1_000, 10, noise, random);
            }
            named += judged().stream()
                            .anyMatch(one -> one.verdict() == Verdict.BETTER || one.verdict() == Verdict.TRADES)
                    ? 1
                    : 0;
        }
        assertThat(named).isLessThanOrEqualTo(runs * 5 / 100);
    }

    @Test
    void confoundedSettingsHaveNoEffectInterval() {
        Random random = new Random(5);
        for (int i = 0; i < 12; i++) {
            boolean both = i % 2 == 0;
            tried(
                    both ? set(LINGER, "100", ACKS, "1") : set(),
                    0,
                    (both ? 2_000 : 1_000) * Math.exp(0.02 * random.nextGaussian()),
                    10);
        }
        assertThat(EffectFit.of(
                        Map.of(LINGER, List.of("5", "100"), ACKS, List.of("1", "all")),
                        set(LINGER, "5", ACKS, "all"),
                        trials))
                .hasSize(2)
                .allSatisfy(effect -> assertThat(effect.throughput().high()).isNull());
    }

    @Test
    void effectIntervalOfASettingCoversTheTruth() {
        Map<String, List<String>> space = Map.of(LINGER, List.of("0", "5", "100"), ACKS, List.of("1", "all"));
        SortedMap<String, String> defaults = set(LINGER, "5", ACKS, "all");
        int covered = 0;
        int runs = 400;
        for (int run = 0; run < runs; run++) {
            trials.clear();
            Random random = new Random(run);
            for (int i = 0; i < 20; i++) {
                String linger = List.of("0", "5", "100").get(random.nextInt(3));
                String acks = List.of("1", "all").get(random.nextInt(2));
                double rate = 1_000
                        * (linger.equals("100") ? 2 : linger.equals("0") ? 0.5 : 1)
                        * (acks.equals("1") ? 1.5 : 1);
                tried(set(LINGER, linger, ACKS, acks), 0, rate * Math.exp(0.06 * random.nextGaussian()), 10);
            }
            tried(set(), 0, 1_000 * Math.exp(0.06 * random.nextGaussian()), 10);
            Effect effect = EffectFit.of(space, defaults, trials).stream()
                    .filter(one -> one.value().equals("100"))
                    .findFirst()
                    .orElseThrow();
            assertThat(effect.against()).isEqualTo("5");
            assertThat(effect.throughput().ratio()).isBetween(1.6, 2.5);
            Double low = effect.throughput().low();
            Double high = effect.throughput().high();
            covered += low != null && high != null && low <= 2 && high >= 2 ? 1 : 0;
        }
        assertThat(covered).isBetween(runs * 93 / 100, runs * 98 / 100);
    }
}
