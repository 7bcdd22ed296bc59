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
    @TempDir
    private Path folder;

    private static Shell weir(String line) {
        return Shell.weir(line.strip().split(" +"));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            value = {
                "producer --payload-delimiter ; | --payload-delimiter has no effect without --payload-file",
                "producer --warmup-records -1 | nowhere.invalid:1 does not resolve on this machine",
                "producer --command-property lingr.ms=1 | 'lingr.ms' is not a property of a Kafka client; did you mean 'linger.ms'?",
                "producer --command-property schema.registry.url=x | 'schema.registry.url' is not a property of a Kafka client; Weir passes it on",
                "producer --command-property spring.kafka.properties.linger.ms=1 | is Spring's name; Kafka's name"
                        + " is 'linger.ms'",
                "producer --command-property key.serializer=x | 'key.serializer' has no effect",
                "producer --throughput 0 | sends one record and then waits",
                "producer --transactional-id mine | nowhere.invalid:1 does not resolve on this machine",
                "consumer --threads 2 | --threads and --num-fetch-threads have no effect",
                "consumer --reporting-interval 1500 | --reporting-interval has no effect without --show-detailed-stats",
                "consumer --fetch-size 9 --command-property max.partition.fetch.bytes=9 | --fetch-size sets it",
                "consumer --command-property group.id=g | 'group.id' has no effect: --group names the group",
                "consumer --command-property group.protocol=consumer | nowhere.invalid:1 does not resolve on this"
                        + " machine",
                "consumer --command-property auto.offset.reset=latest | --from-latest",
                "consumer --engine wire | --engine wire has no groups, so rebalance.time.ms is 0",
            })
    void whatKafkasToolsPassIsPassedWithARemark(String flags, String remark) {
        String rest = flags.startsWith("producer") ? " --record-size 9" : "";
        rest += flags.startsWith("producer") && !flags.contains("--throughput") ? " --throughput -1" : "";
        Shell shell = weir("perf " + flags + rest + " --topic t --num-records 10 --bootstrap-server nowhere.invalid:1");
        assertThat(shell.exit()).as(shell.err()).isEqualTo(3);
        assertThat(shell.out()).isEmpty();
        assertThat(shell.err()).contains(remark).contains("nowhere.invalid:1 does not resolve on this machine");
    }

    @Test
    void payloadFileIsCheckedFirst() throws Exception {
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
