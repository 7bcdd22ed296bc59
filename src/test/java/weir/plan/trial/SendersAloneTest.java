package weir.plan.trial;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import weir.feature.NeedsFeature;
import weir.plan.Experiment;
import weir.plan.GroupSpec;
import weir.plan.LoadSpec;
import weir.plan.MeasureSpec;
import weir.plan.Plans;
import weir.plan.RateSpec;
import weir.plan.TopicSpec;
import weir.plan.Variant;
import weir.plan.read.Overrides;

class SendersAloneTest {
    private static final String LONG = "measure: 2m\n";

    @Test
    void ceilingTrialKeepsOnlyTheSendingSide() {
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
        Variant alone = SendersAlone.ceiling(variant);
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
    void ceilingTrialOmitsClientSecurityAndStatesIt() {
        Variant variant =
                Plans.only("cluster: { bootstrap: 'x:1', client: { security.protocol: SSL, ssl.protocol: TLS } }\n"
                        + "load: { rate: 1/s, producer: { ssl.cipher.suites: a, acks: 1 } }");
        assertThat(SendersAlone.without(variant)).isEqualTo("without encryption and login");
        assertThat(SendersAlone.ceiling(variant).cluster().client()).isEmpty();
        assertThat(SendersAlone.ceiling(variant).load().producers().properties())
                .containsOnlyKeys("acks");
        assertThat(SendersAlone.without(Plans.only("load: {}"))).isEmpty();
        assertThat(SendersAlone.without(Plans.only("cluster: { security: SASL_SSL }")))
                .isNotEmpty();
    }

    @Test
    @NeedsFeature({"http", "delivery"})
    void whereNothingIsToBeFoundTheReasonIsSaid() {
        assertThat(none("load: {}")).isEmpty();
        assertThat(none("load: { workload: deliver, engine: wire }")).isEmpty();
        assertThat(none("load: { workload: consume, backlog: 1k records }")).isEqualTo("the workload sends nothing");
        assertThat(none("topics: { a: {}, b: {} }\nload: { workload: write }"))
                .isEqualTo("not measured for the workload write");
        assertThat(none("load: { rate: one at a time }")).contains("waits for each answer");
        assertThat(none("load: { target: null }")).contains("already null");
        String bridge = "bridge: { url: 'http://x' }\n";
        assertThat(none(bridge + "load: { engine: http }")).isEmpty();
        assertThat(none(bridge + "load: { engine: http, http: { version: 2 } }"))
                .contains("HTTP/2");
        Experiment brief = Plans.read(LONG + "load: {}", Overrides.SHORT);
        assertThat(SendersAlone.none(brief, brief.variants().get(0))).contains("--short");
        Experiment quick = Plans.read("measure: 5s\nwarmup: 1s");
        assertThat(SendersAlone.none(quick, quick.variants().get(0))).contains("less than 60 s");
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
        assertThat(SendersAlone.ceiling(variants.get(0))).isEqualTo(SendersAlone.ceiling(variants.get(1)));
        assertThat(SendersAlone.ceiling(variants.get(0))).isNotEqualTo(SendersAlone.ceiling(variants.get(2)));
        assertThat(SendersAlone.ceilings(experiment)).isEqualTo(2);
        assertThat(Estimate.of(experiment).time())
                .isEqualTo(Estimate.ofTrials(experiment)
                        .time()
                        .plus(SendersAlone.CEILING.multipliedBy(2))
                        .plus(Estimate.CANARIES));
    }

    private static String none(String load) {
        Experiment experiment = Plans.read(LONG + load);
        return SendersAlone.none(experiment, experiment.variants().get(0));
    }

    private static final String STEPPED = """
            load:
              workload: deliver
              value: { size: 250B }
              rate: { steps: [1000/s to 1200/s by 100/s for 30s, 100/s for 60s, 2000/s for 2s], rest: 5s }
            measure: null
            search: { breaking-point: { of: each } }
            """;

    @Test
    void theSendingSideIsTriedAtEachRisingRateForAFewSeconds() {
        Variant alone = SendersAlone.pace(Plans.only(STEPPED, Overrides.NONE));
        assertThat(alone.load().target()).isEqualTo(LoadSpec.Target.NULL);
        assertThat(alone.load().workload()).isEqualTo(LoadSpec.Workload.PRODUCE);
        RateSpec.Steps rate = (RateSpec.Steps) alone.load().rate();
        assertThat(rate.steps().stream()
                        .map(step -> step.rate().text() + " " + step.length().toSeconds())
                        .collect(Collectors.joining(", ")))
                .isEqualTo("1000/s 5, 1100/s 5, 1200/s 5, 2000/s 2");
        assertThat(rate.rest()).isEqualTo(Duration.ZERO);
        assertThat(alone.measure()).isInstanceOf(MeasureSpec.AsLongAsRates.class);
    }

    @Test
    void ceilingTrialsRunOnlyForBreakingLoadsInFullForm() {
        Experiment full = Plans.read(STEPPED, Overrides.NONE);
        assertThat(SendersAlone.paced(full, full.variants().get(0))).isTrue();
        assertThat(SendersAlone.takes(full)).isEqualTo(Duration.ofSeconds(17 + 6));
        Experiment unasked = Plans.read(STEPPED.replaceAll("search:.*\n", ""), Overrides.NONE);
        assertThat(SendersAlone.paced(unasked, unasked.variants().get(0))).isFalse();
        Experiment brief = Plans.read(STEPPED, Overrides.SHORT);
        assertThat(SendersAlone.paced(brief, brief.variants().get(0))).isFalse();
        assertThat(SendersAlone.takes(brief)).isZero();
    }

    @Test
    void variantsThatSendAlikeAreTriedOnce() {
        Experiment twice = Plans.read(
                STEPPED + "variants: { one: {}, two: { cluster: { heap: 2GiB }, load: { consumers: 1 } } }\n"
                        + "cluster: { fresh: trial }\n",
                Overrides.NONE);
        assertThat(SendersAlone.takes(twice)).isEqualTo(Duration.ofSeconds(17 + 6));
    }

    @Test
    void ceilingTrialKeepsRatesPerProducer() {
        Variant alone = SendersAlone.pace(Plans.only("""
                load: { producers: 2, rate: { steps: [10/s per producer for 60s, 100/s per producer for 60s] } }
                measure: null
                """));
        assertThat(((RateSpec.Steps) alone.load().rate()).steps())
                .extracting(RateSpec.Step::perProducer)
                .containsExactly(true, true);
    }
}
