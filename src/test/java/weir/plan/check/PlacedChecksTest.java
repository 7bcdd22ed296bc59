package weir.plan.check;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import weir.plan.PlacedSpec;
import weir.plan.Plans;
import weir.plan.Variant;

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

    @Test
    void everyPlacementIsCheckedAtThePathThatSaysIt() {
        for (String[] each : new String[][] {
            {"placed: { hosts: [] }", "placed"},
            {"cluster: { placed: { hosts: [] } }", "cluster.placed"},
            {"bridge: { gateway: {}, placed: { hosts: [] } }\nload: { engine: http }", "bridge.placed"},
            {"during: { x: { at: 1s, stress: {}, placed: { hosts: [] } } }", "during.x.placed"},
            {"during: { x: { at: 1s, run: 'true', placed: { hosts: [] } } }", "during.x.placed"}
        }) {
            assertThat(Plans.problems(each[0])).contains(": " + each[1] + ".hosts: names no host");
        }
        assertThat(Plans.problems("placed: { hosts: [] }\nduring: { x: { at: 1s, stress: {} } }")
                        .split("names no host", -1))
                .as("one problem, however many sections go by it")
                .hasSize(2);
        assertThat(Plans.problems("placed: { address: x }")).contains("placed: needs 'hosts'");
    }

    @Test
    void hostsWithoutTheirKeyAreToldHowToWriteThem() {
        for (String[] each : new String[][] {
            {"placed: [a]", "placed"},
            {"cluster: { placed: [a] }", "cluster.placed"},
            {"bridge: { gateway: {}, placed: [a] }", "bridge.placed"},
            {"load: { placed: [a] }", "load.placed"},
            {"during: { x: { at: 1s, stress: {}, placed: [a] } }", "during.x.placed"}
        }) {
            assertThat(Plans.problems(each[0]))
                    .contains(": " + each[1] + ": takes here or kubernetes or { hosts: [a, b] }, not a list");
        }
        assertThat(Plans.problems("bridge: { path: [direct] }"))
                .contains("bridge.path: takes direct or memory-channel or ")
                .contains(" or kafka-source, not a list");
    }

    @Test
    void whatHasItsPlaceAlreadyIgnoresThatOfTheFile() {
        Variant given = Plans.only(
                "placed: { hosts: [a] }\ncluster: { bootstrap: 'k:9092' }\nbridge: { url: 'http://x' }\nload: { rate: 1/s, engine: http }");
        assertThat(given.load().placed()).isEqualTo(hosts("a"));
        assertThat(given.cluster().placed()).isEqualTo(PlacedSpec.HERE);
        assertThat(given.bridge().placed()).isEqualTo(PlacedSpec.HERE);
        assertThat(given.placements()).containsExactly(hosts("a"));
    }

    @Test
    void aLoadMayReachGatewaysFromElsewhere() {
        Variant variant =
                Plans.only("bridge: { gateway: { instances: 1 } }\nload: { engine: http, placed: { hosts: [a] } }");
        assertThat(variant.load().placed()).isEqualTo(hosts("a"));
        assertThat(variant.bridge().placed()).isEqualTo(PlacedSpec.HERE);
    }

    @Test
    void aHostIsReachedInOneWay() {
        assertThat(Plans.problems("""
                        cluster: { placed: { hosts: [a, b] } }
                        load: { placed: { hosts: [c, b], address: 10.0.0.1 } }
                        """))
                .contains("x.yaml:2:")
                .contains("load.placed.address: host 'b' has address '10.0.0.1' here and no address in cluster.placed,"
                        + " and is reached once; write the same in both");
        assertThat(Plans.problems("""
                        variants:
                          x: { load: { placed: { hosts: [a] } } }
                          y: { load: { placed: { hosts: [a], ssh: [ssh, -p, "22"] } } }
                        """))
                .contains("host 'a' has ssh 'ssh -p 22' here and ssh 'ssh' in load.placed of variant 'x'");
        assertThat(Plans.problems("""
                        placed: { hosts: [a], address: "x:1" }
                        load: { placed: { hosts: [a], address: "x:1", start: by-hand } }
                        """)).contains("start 'by-hand'").contains("start 'ssh'");
    }

    @Test
    void differentHostsMayBeReachedInDifferentWays() {
        assertThat(Plans.problems("""
                        placed: { hosts: [a, b], address: 10.0.0.1 }
                        load: { placed: { hosts: [c], ssh: [other] } }
                        """)).isEmpty();
    }

    @Test
    void brokersInAnotherPlaceAreAnotherCluster() {
        String moved = "variants: { x: {}, y: { placed: { hosts: [a] }, load: { placed: here } } }";
        assertThat(Plans.problems(moved)).contains("differ in their cluster, so each trial needs its own");
        assertThat(Plans.problems("cluster: { fresh: trial }\n" + moved)).isEmpty();
        assertThat(Plans.problems("variants: { x: {}, y: { cluster: { placed: here } } }"))
                .as("the same place, once more")
                .isEmpty();
    }

    @Test
    void theJvmOfBrokersElsewhereIsNotLookedForHere() {
        String java = "cluster: { java: /not/here, placed: %s }";
        assertThat(Plans.read(String.format(java, "here")).missing())
                .singleElement()
                .satisfies(problem -> assertThat(problem.text())
                        .startsWith("x.yaml:1:18: cluster.java: '/not/here' is not there, or cannot be read"));
        assertThat(Plans.read(String.format(java, "{ hosts: [a] }")).missing()).isEmpty();
    }

    @Test
    void whatRunsOnAHostIsNamed() {
        Variant variant = Plans.read("""
                        load: { engine: http }
                        bridge: { gateway: { instances: 3 }, balancer: [haproxy, nginx], placed: { hosts: [a, me@b] } }
                        during: { x: { at: 1s, stress: {}, placed: { hosts: [b] } }, y: { at: 1s, run: [date] } }
                        """).variants().get(0);
        assertThat(variant.others("a"::equals)).containsExactly("gateway-1", "gateway-3", "haproxy-1", "nginx-2");
        assertThat(variant.others("b"::equals)).containsExactly("gateway-2", "x");
        assertThat(variant.others(String::isEmpty)).containsExactly("y");
        assertThat(variant.reachingBrokers())
                .singleElement()
                .satisfies(hosts -> assertThat(hosts.names()).containsExactly("a", "me@b"));
    }

    private static PlacedSpec.Hosts hosts(String... names) {
        return new PlacedSpec.Hosts(List.of(names), "", PlacedSpec.Start.SSH, List.of("ssh"));
    }
}
