package weir.feature.perf;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import weir.cli.Shell;

class PerfCommandTest {
    private static final String PRODUCER =
            "perf producer --topic t --num-records 10 --record-size 9 --throughput -1 --bootstrap-server b:1 ";
    private static final String CONSUMER = "perf consumer --topic t --num-records 10 --bootstrap-server b:1 ";

    @TempDir
    private Path folder;

    private static Shell weir(String line) {
        return Shell.weir(line.strip().split(" +"));
    }

    private static void refused(String line, String expected) {
        Shell shell = weir(line);
        assertThat(shell.exit()).as(shell.err()).isEqualTo(2);
        assertThat(shell.out()).isEmpty();
        assertThat(shell.err()).hasLineCount(1).startsWith("weir perf").contains(expected);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            value = {
                "--payload-monotonic | exactly one of --record-size",
                "--warmup-records 10 | --warmup-records: '10' is not below --num-records",
                "--reporting-interval 0 | --reporting-interval: '0'",
                "--reporting-interval 1500 | --reporting-interval: '1500' is not a whole number of seconds, in which Weir counts; write 2000",
                "--transaction-duration-ms 0 | --transaction-duration-ms: '0'",
                "--transaction-duration-ms 100 --command-property acks=1 | exclude each other",
                "--engine warp | --engine: 'warp'",
                "--command-property acks | --command-property: 'acks' is not NAME=VALUE",
                "--command-property linger.ms=soon | --command-property: 'linger.ms': 'soon'",
                "--command-property acks=1 --producer-props acks=1 | --command-property and --producer-props say the same",
                "--command-config a --producer.config b | say the same",
                "--command-config no-such-file | --command-config: 'no-such-file' cannot be read",
                "--engine wire --print-metrics | --print-metrics has no effect with --engine wire",
                "--consumer.config a | Unknown option",
            })
    void whatAProducerCannotDoIsRefusedInALine(String flags, String expected) {
        refused(PRODUCER + flags, expected);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            value = {
                "perf | producer or consumer?",
                "perf producer | Missing required options",
                "perf producer --topic t --num-records 0 --record-size 9 --throughput -1 | --num-records: '0'",
                "perf producer --topic t --num-records 1 --record-size 0 --throughput -1 | --record-size: '0'",
                "perf producer --topic t --num-records 1 --throughput -1 | exactly one of",
                "perf producer --topic t --num-records many --record-size 9 --throughput -1 | 'many'",
                "perf producer --topic t --num-records 1 --record-size 9 --throughput -1 | --bootstrap-server is missing",
                "perf consumer --num-records 1 --bootstrap-server b:1 | exactly one of --topic and --include",
                "perf consumer --topic t --bootstrap-server b:1 | --num-records is missing",
                "perf consumer --topic t --num-records 1 | --bootstrap-server is missing",
            })
    void whatIsMissingIsSaidInALine(String line, String expected) {
        refused(line, expected);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            value = {
                "--include a.* | exactly one of --topic and --include",
                "--messages 5 | --num-records and --messages say the same",
                "--broker-list b:1 | --bootstrap-server and --broker-list say the same",
                "--timeout 0 | --timeout: '0'",
                "--date-format foo | --date-format: 'foo'",
                "--fetch-size -1 | --fetch-size: '-1'",
                "--group g --command-property group.protocol=share | 'group.protocol': 'share' is not a valid value",
                "--print-metrics=9 | print-metrics",
            })
    void whatAConsumerCannotDoIsRefusedInALine(String flags, String expected) {
        refused(CONSUMER + flags, expected);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            value = {
                "producer --payload-delimiter ; | --payload-delimiter has no effect without --payload-file",
                "producer --warmup-records -1 | nowhere.invalid:1 does not resolve here",
                "producer --command-property lingr.ms=1 | 'lingr.ms' is not a property of a Kafka client; did you mean 'linger.ms'?",
                "producer --command-property schema.registry.url=x | 'schema.registry.url' is not a property of a Kafka client; it is",
                "producer --command-property spring.kafka.properties.linger.ms=1 | is Spring's name; Kafka's clients call it 'linger.ms'",
                "producer --command-property key.serializer=x | 'key.serializer' has no effect",
                "producer --throughput 0 | sends one record and then waits",
                "producer --transactional-id mine | nowhere.invalid:1 does not resolve here",
                "consumer --threads 2 | --threads and --num-fetch-threads have no effect",
                "consumer --reporting-interval 1500 | --reporting-interval has no effect without --show-detailed-stats",
                "consumer --fetch-size 9 --command-property max.partition.fetch.bytes=9 | --fetch-size says the same",
                "consumer --command-property group.id=g | 'group.id' has no effect: --group names the group",
                "consumer --command-property group.protocol=consumer | nowhere.invalid:1 does not resolve here",
                "consumer --command-property auto.offset.reset=latest | --from-latest",
                "consumer --engine wire | partitions are assigned, so rebalance.time.ms is 0",
            })
    void whatKafkasToolsPassIsPassedWithARemark(String flags, String remark) {
        String rest = flags.startsWith("producer") ? " --record-size 9" : "";
        rest += flags.startsWith("producer") && !flags.contains("--throughput") ? " --throughput -1" : "";
        Shell shell = weir("perf " + flags + rest + " --topic t --num-records 10 --bootstrap-server nowhere.invalid:1");
        assertThat(shell.exit()).as(shell.err()).isEqualTo(3);
        assertThat(shell.out()).isEmpty();
        assertThat(shell.err()).contains(remark).contains("nowhere.invalid:1 does not resolve here");
    }

    @Test
    void aDeprecatedFlagIsTakenAndNamesItsSuccessor() {
        Shell shell = weir("perf producer --topic t --num-records 1 --record-size 9 --throughput -1"
                + " --producer-props bootstrap.servers=b:1 linger.ms=soon");
        assertThat(shell.exit()).isEqualTo(2);
        assertThat(shell.err())
                .contains("--producer-props is deprecated; write --command-property")
                .contains("--producer-props: 'linger.ms': 'soon'");
    }

    @Test
    void secretsOfACommandLineOrAFileAreNeverShown() throws Exception {
        Path file = Files.writeString(folder.resolve("c.properties"), "sasl.jaas.config=hush\nlinger.ms=soon\n");
        Shell shell = weir(PRODUCER + "--command-config " + file + " --command-property ssl.key.password=hush2");
        assertThat(shell.exit()).isEqualTo(2);
        assertThat(shell.err()).contains("'linger.ms'").doesNotContain("hush");
    }

    @Test
    void aPayloadFileIsReadBeforeAnythingElseHappens() throws Exception {
        String line = "perf producer --topic t --num-records 1 --throughput -1 --bootstrap-server b:1 --payload-file ";
        assertThat(weir(line + folder.resolve("none")).err())
                .contains("--payload-file:")
                .hasLineCount(1);
        Path empty = Files.createFile(folder.resolve("empty"));
        assertThat(weir(line + empty).exit()).isEqualTo(2);
        Path some = Files.writeString(folder.resolve("some"), "a\nb\n");
        assertThat(weir(line + some + " --payload-delimiter (").err())
                .contains("--payload-delimiter:")
                .hasLineCount(1);
    }
}
