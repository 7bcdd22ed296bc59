package weir.plan.check;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import weir.plan.Plans;

class DeliveryChecksTest {
    private static final String LOAD = "load: { workload: deliver, engine: http%s }%n";
    private static final String PARKED = "topics: { events: {}, parked: {} }\n";

    @ParameterizedTest
    @ValueSource(
            strings = {"direct", "memory-channel", "memory-broker", "kafka-channel", "kafka-broker", "kafka-source"})
    void pathCarriesWhatIsSentAndReceivedByHttp(String path) {
        assertThat(path(path)).isEmpty();
        assertThat(Plans.problems(String.format(LOAD, "") + "bridge: { path: " + path + " }"))
                .isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "{ path: direct },         taken by the receiver",
        "{ path: memory-channel }, queued in memory by the channel",
        "{ path: memory-broker },  queued in memory by the channel",
        "{ path: kafka-channel },  ''",
        "{ path: kafka-source },   ''",
    })
    void aPathWithoutKafkaNotesWhoAcknowledges(String bridge, String who) {
        String note = Plans.only(String.format(LOAD, "") + "bridge: " + bridge).ackedNote();
        assertThat(note.replaceFirst(".*so acked means ", "")).isEqualTo(who);
    }

    @Test
    void addressIsAHostAndAPort() {
        for (String address :
                new String[] {"localhost", "127.0.0.1:0", "127.0.0.1:65536", "'http://x:1'", "'::1:80'"}) {
            assertThat(path("direct", ", listen: " + address)).contains("is no address to listen on; write HOST:PORT");
        }
        for (String address : new String[] {"localhost:8080", "127.1.2.3:1", "'[::1]:65535'"}) {
            assertThat(path("direct", ", listen: " + address)).isEmpty();
        }
    }

    @Test
    void kafkaHasOneTopicOfOurOwnForEvents() {
        String load = "topics: { a: %s, b: {} }%n" + String.format(LOAD, "%s") + "bridge: { path: %s }";
        assertThat(Plans.problems(String.format(load, "{}", "", "kafka-channel")))
                .contains("load.topics: the path kafka-channel has one topic for its events, and these are a, b; write"
                        + " the one that takes the events");
        assertThat(Plans.problems(String.format(load, "{}", ", topics: [a]", "kafka-channel")))
                .isEmpty();
        assertThat(Plans.problems(String.format(load, "{}", "", "memory-channel")))
                .as("nothing goes to topics")
                .isEmpty();
        assertThat(Plans.problems(String.format(load, "{ count: 2 }", ", topics: [a]", "kafka-source")))
                .contains("topics.a.count: the path kafka-source has one topic for its events, and these are 2");
        assertThat(Plans.problems("cluster: { bootstrap: 'x:1' }\n"
                        + String.format(load, "{ existing: true }", ", topics: [a]", "kafka-source")))
                .contains("topics.a.existing: the events of others in it would be delivered, too");
    }

    @Test
    void eventThatKafkaWouldRefuseIsRefusedBefore() {
        assertThat(path("kafka-channel", ", value: { size: 2MiB }"))
                .contains("load.value.size: is above the 1048576 bytes of max.request.size");
        assertThat(path("kafka-channel, producer: { max.request.size: 4000000 }", ", value: { size: 2MiB }"))
                .isEmpty();
        assertThat(path("kafka-source", ", value: { size: 2MiB }, producer: { max.request.size: 4000000 }"))
                .isEmpty();
        assertThat(path("memory-channel", ", value: { size: 2MiB }")).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '"', textBlock = """
            { exact: {} }                         | bridge.filters.exact: names no attribute; write exact: { type: … }
            { any: [{ not: { prefix: {} } }] }    | bridge.filters.prefix: names no attribute
            { exact: { type: '' } }               | bridge.filters.type: has no value to compare with
            { exact: { Type: a } }                | 'Type' is not the name of an attribute
            { all: [] }                           | bridge.filters.all: has no condition
            { any: null }                         | bridge.filters.any: has no condition
            { not: null }                         | bridge.filters.not: is the opposite of nothing
            { not: {} }                           | bridge.filters.not: needs one of: exact, prefix, suffix, all, any, not
            { exat: { type: a } }                 | bridge.filters.exat: is not a key here; did you mean 'exact'?
            { all: [{ not: { exat: { a: b } } }] }| bridge.filters.all.not.exat: is not a key here; did you mean 'exact'?
            { exact: { a: b }, not: {} }          | 'exact' and 'not' exclude each other
            type                                  | takes keys below it, not the value 'type'; known: exact, prefix
            { any: { exact: { a: b } } }          | bridge.filters.any: takes a list; write [{exact: {a: b}}]
            { all: exact }                        | bridge.filters.all: takes a list; write [{exact: {type: order}}
            """)
    void filterThatSaysNothingHasItsLine(String filter, String problem) {
        assertThat(path("memory-broker, filters: [" + filter + "]"))
                .contains("x.yaml:2:")
                .contains(problem.strip());
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '"', textBlock = """
            retry: 1001                                      | must be at most 1000, found '1001'
            retry: 14                                        |
            retry: 15                                        | the exponential pauses between them are 1.8 hours together
            retry: 30                                        | the exponential pauses between them are more than a year
            retry: 22                                        | the exponential pauses between them are 10 days together
            retry: 189, backoffPolicy: linear                |
            retry: 190, backoffPolicy: linear                | the linear pauses between them are 1.0 hours together
            retry: 1000, backoffPolicy: linear, backoffDelay: 1ms |
            retry: 10, backoffDelay: 0s                      |
            retry: 11, backoffDelay: 0s                      | backoffDelay: '0s' sends an event 12 times without a pause
            """)
    void retriesComeToAnEnd(String delivery, String problem) {
        String found = path("kafka-channel, delivery: { " + delivery + " }");
        if (problem == null) {
            assertThat(found).isEmpty();
        } else {
            assertThat(found).contains("x.yaml:2:").contains(problem);
        }
    }

    @Test
    void deadLettersGoWhereNobodyDeliversThemAgain() {
        assertThat(parked("parked", "")).isEmpty();
        assertThat(parked("http://127.0.0.1:9000/dead", ", topics: [events]")).isEmpty();
        assertThat(parked("none", "")).contains("load.topics: the path kafka-channel has one topic");
        assertThat(parked("parkd", ""))
                .contains("there is no topic 'parkd'; did you mean 'parked'?")
                .contains("these are events, parked; write topics: [events]");
        assertThat(parked("none", "")).contains("these are events, parked; write the one that takes the events");
        assertThat(parked("parked", ", topics: [parked, events]"))
                .contains("these are parked, events; write topics: [events]");
        assertThat(parked("parked", ", topics: [parkd]"))
                .contains("there is no topic 'parkd'")
                .doesNotContain("mean 'parked'");
        assertThat(parked("event", ", topics: [events]"))
                .contains("there is no topic 'event'")
                .doesNotContain("mean 'events'");
        assertThat(parked("parked", ", topics: [events, parked]"))
                .contains("bridge.delivery.deadLetterSink: 'parked' is a topic of the load, too");
        assertThat(parked("parked", ", topics: [events]")).isEmpty();
        assertThat(parked("http:/x", ""))
                .contains("there is no topic 'http:/x'")
                .contains("or http://HOST:PORT");
        assertThat(parked("ftp://x", "")).contains("'ftp://x' is no address of a server");
        assertThat(path("kafka-channel, delivery: { deadLetterSink: weir }"))
                .contains("'weir' is the only topic, in which the events themselves are")
                .doesNotContain("names no topic");
    }

    @ParameterizedTest
    @CsvSource({
        "http://127.0.0.1:8080/,127.0.0.1:8080,true",
        "http://localhost:8080/x,127.0.0.1:8080,true",
        "http://localhost,127.0.0.1:80,true",
        "http://127.0.0.1:8081/,127.0.0.1:8080,false",
        "http://other:8080/,127.0.0.1:8080,false",
    })
    void receiverIsNoSinkOfItsOwnDeadLetters(String sink, String listen, boolean same) {
        String found = path("memory-channel, delivery: { deadLetterSink: '" + sink + "' }", ", listen: " + listen);
        assertThat(found.contains("is the receiver itself, which did not take the event before"))
                .isEqualTo(same);
    }

    @ParameterizedTest
    @CsvSource({
        "memory-channel,channel",
        "memory-broker,ingress channel filter",
        "kafka-channel,channel",
        "kafka-broker,ingress channel filter",
        "kafka-source,source",
        "direct,",
    })
    void onlyProcessesThatThePathHasAreKilled(String path, String there) {
        for (String process : new String[] {"ingress", "channel", "filter", "source"}) {
            String found = Plans.problems(String.format(LOAD, "") + "bridge: { path: " + path + " }\n"
                    + "during: { x: { at: 1s, for: 1s, kill: " + process + " } }");
            boolean has = there != null && there.contains(process);
            assertThat(found.isEmpty()).isEqualTo(has);
            assertThat(has || found.contains("during.x: there is no " + process + "; the path " + path + " has "))
                    .isTrue();
        }
        assertThat(Plans.problems("during: { x: { at: 1s, kill: channel } }"))
                .contains("during.x: there is no channel; those stand on the way of events");
        assertThat(Plans.problems("during: { x: { at: 1s, kill: channel 1 } }"))
                .contains("'channel 1' is not a broker");
    }

    @Test
    void stepThatDoesNotExistIsNoneToSpeakOf() {
        String file = String.format(LOAD, ", rate: \"1000:3,1500:3\"") + "bridge: { path: direct }\n";
        assertThat(Plans.problems(file + "expect: [ failed during 1700/s == 0 ]"))
                .contains("expect: '1700/s' is no phase, step or disturbance here");
        assertThat(Plans.problems(file + "profile: { during: 1700/s }"))
                .contains("x.yaml:3:")
                .contains("profile.during: '1700/s' is no step here");
        assertThat(Plans.problems(file + "profile: { during: 1k/s }")).isEmpty();
    }

    private static String parked(String sink, String load) {
        return Plans.problems(PARKED + String.format(LOAD, load) + "bridge: { path: kafka-channel, delivery: {"
                + " deadLetterSink: '" + sink + "' } }");
    }

    private static String path(String bridge) {
        return path(bridge, "");
    }

    private static String path(String bridge, String load) {
        return Plans.problems(String.format(LOAD, load) + "bridge: { path: " + bridge + " }");
    }
}
