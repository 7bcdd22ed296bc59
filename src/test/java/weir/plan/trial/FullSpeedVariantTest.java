package weir.plan.trial;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import weir.plan.Experiment;
import weir.plan.GroupSpec;
import weir.plan.LoadSpec;
import weir.plan.MeasureSpec;
import weir.plan.Plans;
import weir.plan.RateSpec;
import weir.plan.TopicSpec;
import weir.plan.Variant;
import weir.plan.read.Overrides;

class FullSpeedVariantTest {
    private static final String LONG = "measure: 2m\n";

    @Test
    void sendingSideIsTheSameAndAllElseIsGone() {
        Variant variant = Plans.only("""
                cluster: { kafka: 3.9.2, brokers: 2, broker: { num.io.threads: 4 }, client: { client.id: x } }
                topics: { t: { partitions: 6, replication: 2, config: { retention.ms: 1000 } } }
                load:
                  workload: deliver
                  rate: { steps: [10/s for 60s, 20/s for 60s] }
                  group: g
                  producers: 3
                  key: sequence
                  value: { size: 250B, content: letters }
                  producer: { linger.ms: 10, acks: 1, plugin: { my.own: 1 } }
                measure: null
                warmup: { until: steady }
                during: { x: { at: 1s, kill: broker 1 } }
                """.replace("brokers: 2", "brokers: 2, controllers: 1"));
        Variant alone = FullSpeedVariant.of(variant);
        LoadSpec load = alone.load();
        assertThat(load.target()).isEqualTo(LoadSpec.Target.NULL);
        assertThat(load.workload()).isEqualTo(LoadSpec.Workload.PRODUCE);
        assertThat(load.rate()).isInstanceOf(RateSpec.Max.class);
        assertThat(load.consumers().group()).isEqualTo(GroupSpec.ASSIGNED);
        assertThat(load.producers().count()).isEqualTo(3);
        assertThat(load.messages().key()).isEqualTo(variant.load().messages().key());
        assertThat(load.messages().value()).isEqualTo(variant.load().messages().value());
        assertThat(load.producers().properties())
                .isEqualTo(variant.load().producers().properties());
        assertThat(alone.cluster().client()).containsEntry("client.id", "x");
        assertThat(alone.topics())
                .hasEntrySatisfying(
                        "t",
                        t -> assertThat(t).extracting(TopicSpec::partitions).isEqualTo(6))
                .hasEntrySatisfying("t", t -> assertThat(t.replication()).isEqualTo(1))
                .hasEntrySatisfying("t", t -> assertThat(t.config()).isEmpty());
        assertThat(alone.during()).isEmpty();
        assertThat(alone.measure()).isInstanceOf(MeasureSpec.For.class);
    }

    @Test
    void accessToTheBrokersIsLeftOutAndThatIsSaid() {
        Variant variant =
                Plans.only("cluster: { bootstrap: 'x:1', client: { security.protocol: SSL, ssl.protocol: TLS } }\n"
                        + "load: { rate: 1/s, producer: { ssl.cipher.suites: a, acks: 1 } }");
        assertThat(FullSpeedVariant.without(variant)).isEqualTo("without encryption and login");
        assertThat(FullSpeedVariant.of(variant).cluster().client()).isEmpty();
        assertThat(FullSpeedVariant.of(variant).load().producers().properties()).containsOnlyKeys("acks");
        assertThat(FullSpeedVariant.without(Plans.only("load: {}"))).isEmpty();
        assertThat(FullSpeedVariant.without(Plans.only("cluster: { security: SASL_SSL }")))
                .isNotEmpty();
    }

    @Test
    void whereNothingIsToBeFoundTheReasonIsSaid() {
        assertThat(none("load: {}")).isEmpty();
        assertThat(none("load: { workload: deliver, engine: wire }")).isEmpty();
        assertThat(none("load: { workload: consume, backlog: 1k records }")).isEqualTo("nothing is sent");
        assertThat(none("topics: { a: {}, b: {} }\nload: { workload: write }"))
                .isEqualTo("not measured for the workload write");
        assertThat(none("load: { rate: one at a time }")).contains("waits for every answer");
        assertThat(none("load: { target: null }")).contains("null itself");
        String bridge = "bridge: { url: 'http://x' }\n";
        assertThat(none(bridge + "load: { engine: http }")).isEmpty();
        assertThat(none(bridge + "load: { engine: http, http: { version: 2 } }"))
                .contains("HTTP/2");
        Experiment brief = Plans.read(LONG + "load: {}", Overrides.SHORT);
        assertThat(FullSpeedVariant.none(brief, brief.variants().get(0))).contains("--short");
        Experiment quick = Plans.read("measure: 5s\nwarmup: 1s");
        assertThat(FullSpeedVariant.none(quick, quick.variants().get(0))).contains("less than 60 s");
    }

    @Test
    void variantsThatSendAlikeShareACeilingAndTheEstimateCountsIt() {
        Experiment experiment = Plans.read(LONG + """
                variants:
                  slow: { load: { rate: 1k/s } }
                  fast: { load: { rate: 9k/s } }
                  small: { load: { value: { size: 100B } } }
                """);
        List<Variant> variants = experiment.variants();
        assertThat(FullSpeedVariant.of(variants.get(0))).isEqualTo(FullSpeedVariant.of(variants.get(1)));
        assertThat(FullSpeedVariant.of(variants.get(0))).isNotEqualTo(FullSpeedVariant.of(variants.get(2)));
        assertThat(FullSpeedVariant.ceilings(experiment)).isEqualTo(2);
        assertThat(Estimate.of(experiment).time())
                .isEqualTo(Estimate.ofTrials(experiment)
                        .time()
                        .plus(FullSpeedVariant.TAKES.multipliedBy(2))
                        .plus(Estimate.CANARIES));
    }

    private static String none(String load) {
        Experiment experiment = Plans.read(LONG + load);
        return FullSpeedVariant.none(experiment, experiment.variants().get(0));
    }
}
