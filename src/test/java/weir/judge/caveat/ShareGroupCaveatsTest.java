package weir.judge.caveat;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import weir.judge.caveat.TrialCaveats.ShareGroupCaveats;
import weir.measure.Balances;
import weir.plan.property.Property;
import weir.plan.property.Property.Source;
import weir.results.value.Caveat;

class ShareGroupCaveatsTest {
    private final CaveatCollector caveats = new CaveatCollector(3);
    private final ShareGroupCaveats share = new ShareGroupCaveats(
            caveats,
            List.of(
                    property("share.partition.max.record.locks", "100"),
                    property("share.record.lock.duration.ms", "15000"),
                    property("share.delivery.count.limit", "5")));

    private static Property property(String name, String value) {
        return new Property("group", name, "", value, "", Source.DEFAULT);
    }

    private List<String> evidence() {
        return caveats.found().stream().map(Caveat::evidence).toList();
    }

    @Test
    void locksAreTheLimitIfReadersWaitAlthoughRecordsAreAvailable() {
        share.locks(200, 100, 80, 10_000);
        assertThat(evidence())
                .containsExactly("readers held 100 of at most 100 locks of a partition"
                        + " (share.partition.max.record.locks), and waited for 80 % of their time, while the group had"
                        + " not completed 10,000 records");
    }

    @Test
    void locksAreNoLimitIfReadersAreBusyOrRecordsAreMissing() {
        share.locks(200, 100, 10, 10_000);
        share.locks(200, 100, 80, 210);
        share.locks(20, 10, 80, 10_000);
        share.locks(Double.NaN, Double.NaN, Double.NaN, Double.NaN);
        assertThat(caveats.found()).isEmpty();
    }

    @Test
    void expiredLocksNameTheirDuration() {
        share.balance(Balances.of("acquired 100, accepted 97, lock_expired 3, archived 0, rejected 0"));
        assertThat(evidence())
                .containsExactly(
                        "3 locks ended without an acknowledgement; a lock lasts 15000 ms (share.record.lock.duration.ms)");
    }

    @Test
    void onlyRecordsThatNoReaderRejectedReachedTheLimitOfDeliveries() {
        share.balance(Balances.of("acquired 100, accepted 90, lock_expired 0, archived 10, rejected 10"));
        assertThat(caveats.found()).isEmpty();
        share.balance(Balances.of("acquired 100, accepted 90, lock_expired 0, archived 14, rejected 10"));
        assertThat(evidence())
                .containsExactly("the group archived 4 records that no reader rejected, because it delivers a record at"
                        + " most 5 times (share.delivery.count.limit)");
    }
}
