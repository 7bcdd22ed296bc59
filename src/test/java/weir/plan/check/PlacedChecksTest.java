package weir.plan.check;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import weir.plan.PlacedSpec;
import weir.plan.Plans;

class PlacedChecksTest {
    @Test
    void workersRunHereUnlessHostsAreNamed() {
        assertThat(Plans.only("load: {}").load().placed()).isEqualTo(PlacedSpec.HERE);
        assertThat(Plans.only("load: { placed: here }").load().placed().elsewhere())
                .isFalse();
        assertThat(Plans.only("load: { placed: { hosts: [a, b@c], address: 10.0.0.1 } }")
                        .load()
                        .placed())
                .isEqualTo(new PlacedSpec.Hosts(List.of("a", "b@c"), "10.0.0.1", PlacedSpec.Start.SSH, List.of("ssh")));
    }

    @Test
    void hostsWithoutAWorkerAreTold() {
        String load = "load: { workers: %d, producers: 3, placed: { hosts: [a, b, c] } }";
        assertThat(Plans.only(String.format(load, 1)).load().idleWorkers())
                .isEqualTo("of 3 hosts only 1 has a worker; for all write workers: 3");
        assertThat(Plans.only(String.format(load, 3)).load().idleWorkers()).isEmpty();
    }

    @Test
    void workersAreDealtOutInTurns() {
        PlacedSpec.Hosts hosts = new PlacedSpec.Hosts(List.of("a", "b"), "", PlacedSpec.Start.SSH, List.of("ssh"));
        assertThat(List.of(hosts.of(0), hosts.of(1), hosts.of(2))).containsExactly("a", "b", "a");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "hosts: []|placed.hosts: names no host",
                "hosts: [a, a]|'a' stands there twice",
                "hosts: ['-oProxyCommand=x']|'-oProxyCommand=x' is no name of a host",
                "hosts: ['a b']|'a b' is no name of a host",
                "hosts: [a], ssh: []|placed.ssh: names no command",
                "hosts: [a], address: 'a:b:c'|'a:b:c' is no address; write HOST or HOST:PORT",
                "hosts: [a], address: 'x:70000'|'x:70000' is no address",
                "hosts: [a], start: by-hand|has to know where to connect; write address",
                "hosts: [a], start: by-hand, address: x|'x' has no port",
                "hosts: [a], start: magic|'magic'",
                "hosts: [a], port: 1|port"
            })
    void hostsAndAddressesAreCheckedBeforeAnythingStarts(String placed, String said) {
        assertThat(Plans.problems("load: { placed: { " + placed + " } }"))
                .contains(said)
                .contains("x.yaml:1:");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "load: { target: null, placed: { hosts: [a] } }|the null target runs here",
                "bridge: { gateway: { instances: 1 } }%nload: { engine: http, placed: { hosts: [a] } }|gateways run here",
                "bridge: { path: direct }%nload: { workload: deliver, engine: http, placed: { hosts: [a] } }|what events pass runs here"
            })
    void whatIsReachedFromHereOnlyIsNotAskedForFromElsewhere(String yaml, String said) {
        assertThat(Plans.problems(String.format(yaml)))
                .contains("load.placed: ")
                .contains(said);
    }
}
