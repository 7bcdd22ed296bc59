package weir.plan.check;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import weir.plan.Plans;
import weir.plan.Problem;
import weir.plan.read.Overrides;

class ProfileChecksTest {
    private static final String FILE = "load: { rate: 5/s }\n";

    private static String problems(String yaml) {
        return ProfileChecks.of(Plans.read(yaml)).stream().map(Problem::message).collect(Collectors.joining("\n"));
    }

    @Test
    void whatWeirStartsHereIsProfiled() {
        assertThat(problems(FILE + "profile: { of: [workers, brokers], what: [cpu, alloc, lock, wall] }"))
                .isEmpty();
        assertThat(problems(
                        "load: { engine: http, rate: 5/s, value: { size: 1KiB } }\nbridge: { gateway: { instances: 2 } }\n"
                                + "profile: { of: [bridge] }"))
                .isEmpty();
    }

    @Test
    void brokersThatAreNotOursAreRefusedAndWorkersBesideThemAreNot() {
        String given = "cluster: { bootstrap: \"127.0.0.1:1\" }\n" + FILE;
        assertThat(problems(given + "profile: {}"))
                .isEqualTo(
                        "profile.of: variant 'base': 'brokers' cannot be used with cluster.bootstrap: 127.0.0.1:1, because"
                                + " only brokers that Weir starts are profiled; write of: [workers]");
        assertThat(problems(given + "profile: { of: [workers] }")).isEmpty();
        assertThat(problems(given)).isEmpty();
    }

    @Test
    void processesOnOtherMachinesAreRefused() {
        String elsewhere = "placed: { hosts: [a] }\n" + FILE;
        assertThat(problems(elsewhere + "profile: {}"))
                .startsWith(
                        "profile.of: variant 'base': 'brokers' requires cluster.placed: here, found 'hosts', because a"
                                + " profiler attaches on this machine only");
        assertThat(problems(elsewhere + "profile: { of: [workers] }"))
                .startsWith("profile.of: variant 'base': 'workers' requires load.placed: here");
    }

    @Test
    void aBridgeThatIsNotThereIsRefusedOnceForAllVariants() {
        assertThat(problems(FILE + "variants: { a: {}, b: {} }\nprofile: { of: [bridge] }"))
                .startsWith("profile.of: variant 'a': 'bridge' requires bridge: gateway or path")
                .doesNotContain("\n");
    }

    @Test
    void aTargetWithoutBrokersHasNoneToProfile() {
        assertThat(problems("load: { rate: 5/s, target: null }\nprofile: {}")).contains("has no brokers");
    }

    @Test
    void aProfileOfNothingIsRefused() {
        assertThat(problems(FILE + "profile: { of: [] }")).startsWith("profile.of: names nothing to profile");
        assertThat(problems(FILE + "profile: { what: [] }")).startsWith("profile.what: names nothing to profile");
        assertThat(problems("search: { capacity: {} }\nprofile: {}")).contains("have no trials of their own");
        String stepped =
                "load: { rate: \"1000:3\" }\nmeasure: null\nvariants: { a: {}, b: { load: { rate: 7/s }, measure: 3s } }\n";
        assertThat(ProfileChecks.of(Plans.read(stepped + "profile: { during: 1k/s, variants: [b] }")))
                .extracting(Problem::message)
                .containsExactly(
                        "profile.during: none of the variants that run has a step 1000/s; write the rate of one of"
                                + " their steps, or leave it out");
    }

    @Test
    void aProfileOfAStepThatTheShortFormLacksIsLeftOut() {
        String file = "load: { rate: \"1000:3\" }\nmeasure: null\nprofile: { during: 1k/s }\n";
        assertThat(Plans.read(file, Overrides.SHORT).profiles()).hasSize(1);
        assertThat(Plans.read(file + "short: { load: { rate: 7/s }, measure: 3s }", Overrides.SHORT)
                        .profiles())
                .isEmpty();
    }
}
