package weir.feature.partitions;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import weir.plan.BacklogSpec;
import weir.plan.Plans;
import weir.plan.Variant;

class PartitionVariantTest {
    @Test
    void settingsOfDerivedVariantSayItsLoad() {
        Variant variant = Plans.only("load: { workload: deliver, backlog: 5 records, producer: { acks: 1 } }\n");
        Variant reading = PartitionVariant.reading(variant, 1_000);
        assertThat(reading.load().backlog()).isEqualTo(BacklogSpec.ofRecords(1_000));
        assertThat(reading.values())
                .containsEntry("load.backlog", "1000 records")
                .containsEntry("load.workload", "consume")
                .containsEntry("load.rate", "max")
                .containsEntry("warmup", "none")
                .containsEntry("measure", "1000 operations");
    }
}
