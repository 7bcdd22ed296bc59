package weir.judge.caveat;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import weir.feature.NeedsFeature;
import weir.plan.Plans;
import weir.plan.syntax.CaveatType.Level;
import weir.results.PlannedTrial;
import weir.results.value.Caveat;

class MachineCaveatsTest {
    private static final double MIB = 1 << 20;

    private final CaveatCollector caveats = new CaveatCollector(3);
    private final MachineCaveats machine = new MachineCaveats(caveats);

    private Caveat only() {
        assertThat(caveats.found()).hasSize(1);
        return caveats.found().get(0);
    }

    private static int sharing(String cluster, String load) {
        return PlannedTrial.of(Plans.only("name: e\ncluster: " + cluster + "\nload: " + load + "\n"))
                .sharing();
    }

    @Test
    void aClockThatWasSteppedMakesTheTrialInvalid() {
        machine.clock(60_040, 60_000);
        assertThat(caveats.found()).isEmpty();
        machine.clock(59_100, 60_000);
        assertThat(only().is(MachineCaveats.CLOCK_STEPPED)).isTrue();
        assertThat(only().level()).isEqualTo(Level.INVALID);
        assertThat(only().evidence()).contains("-900 ms");
    }

    @Test
    @NeedsFeature("hosts")
    void brokersHereShareTheCoresUnlessTheGeneratorHasOthers() {
        assertThat(sharing("{ bootstrap: \"127.0.0.1:9092\" }", "{}")).isZero();
        assertThat(sharing("{ brokers: 1, within: { cpus: [0] } }", "{ within: { cpus: [1] } }"))
                .isZero();
        assertThat(sharing("{ brokers: 3, within: { cpus: [0] } }", "{ within: { cpus: [0, 1] } }"))
                .isEqualTo(3);
        assertThat(sharing("{ brokers: 3, placed: { hosts: [a] } }", "{}")).isZero();
        machine.sharedCores("3 brokers", 2, "", 50, 0.9, 1);
        assertThat(only().evidence()).isEqualTo("3 brokers and the generator share 2 cores");
        machine.sharedCores("1 broker", 2, "", 97, 0.21, 10);
        assertThat(caveats.found().get(1).evidence())
                .isEqualTo("1 broker and the generator (which has priority) share 2 cores, busy for 97 % of the time;"
                        + " both used 0.2 cores");
    }

    @Test
    void backlogInTheWrongCacheStateRaisesACaveat() {
        machine.cacheAsAsked(true, 0, 100, 90);
        machine.cacheAsAsked(false, Double.NaN, 100, 5);
        machine.cacheAsAsked(true, Double.NaN, 100, Double.NaN);
        assertThat(caveats.found()).isEmpty();
        machine.cacheAsAsked(true, 0.01, 100, 5);
        machine.cacheAsAsked(true, 0.4, 100, 60);
        machine.cacheAsAsked(false, Double.NaN, 100, 60);
        assertThat(caveats.found()).allMatch(caveat -> caveat.is(MachineCaveats.CACHE_NOT_AS_ASKED));
        assertThat(caveats.found())
                .extracting(Caveat::evidence)
                .satisfiesExactly(
                        evidence -> assertThat(evidence).contains("be cold. Readers read 100 MiB"),
                        evidence -> assertThat(evidence).contains("40 % of the backlog stayed"),
                        evidence -> assertThat(evidence).contains("be warm. Readers read 100 MiB"));
    }

    @Test
    void dataOnTmpfsRaisesACaveat() {
        machine.tmpfs("ext4");
        assertThat(caveats.found()).isEmpty();
        machine.tmpfs("tmpfs");
        assertThat(only().is(MachineCaveats.DATA_ON_TMPFS)).isTrue();
    }

    @Test
    void diskLimitWithoutWritebackRaisesACaveat() {
        machine.writeback(false);
        assertThat(caveats.found()).isEmpty();
        machine.writeback(true);
        assertThat(only().is(MachineCaveats.WRITEBACK_UNLIMITED)).isTrue();
    }

    @Test
    void pageCacheCaveatReportsWrittenAndFlushedBytes() {
        machine.pageCache(2_000 * MIB, 8_000 * MIB, 40);
        machine.pageCache(0, 8_000 * MIB, 40);
        machine.pageCache(5 * MIB, Double.NaN, 40);
        assertThat(caveats.found()).isEmpty();
        machine.pageCache(500 * MIB, 8_000 * MIB, 40);
        assertThat(only().is(MachineCaveats.PAGE_CACHE_ABSORBED_THE_WRITES)).isTrue();
        assertThat(only().evidence())
                .isEqualTo("the load wrote 500 MiB on a machine with 8,000 MiB of free memory, so the page cache"
                        + " could hold all written data; in the measured phase all programs together wrote 40 MiB/s"
                        + " to the disks");
    }

    @Test
    void backlogReadFromThePageCacheRaisesACaveat() {
        machine.readCache(1_000, 900);
        machine.readCache(1_000, Double.NaN);
        machine.readCache(0, 0);
        assertThat(caveats.found()).isEmpty();
        machine.readCache(1_000, 3);
        assertThat(only().is(MachineCaveats.READ_FROM_THE_PAGE_CACHE)).isTrue();
    }

    @Test
    void aQuietHostIsNotNoisy() {
        machine.steal("", 0.5);
        machine.steal("", Double.NaN);
        machine.others("", 1.6, 1.5, 2);
        machine.others("", Double.NaN, 1, 2);
        machine.memoryPressure("", 0.2);
        machine.memoryPressure("", Double.NaN);
        assertThat(caveats.found()).isEmpty();
        assertThat(MachineCaveats.drifted(java.util.List.of())).isEmpty();
    }

    @Test
    void stolenTimeOtherProgramsAndMemoryPressureAreNoise() {
        machine.steal("", 5);
        machine.others("", 1.9, 1.5, 2);
        machine.memoryPressure("", 3);
        assertThat(caveats.found())
                .allSatisfy(caveat ->
                        assertThat(caveat.is(MachineCaveats.HOST_NOISY)).isTrue());
        assertThat(caveats.found())
                .extracting(Caveat::evidence)
                .containsExactly(
                        "the hypervisor gave 5.0 % of this machine's CPU time to other virtual machines",
                        "other programs used 0.4 of 2 cores in user mode",
                        "tasks waited for memory for 3.0 % of the time (PSI)");
    }
}
