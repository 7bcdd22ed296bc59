package weir.judge.caveat;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import weir.judge.trial.TrialJudge;
import weir.measure.Atomicity;
import weir.measure.Balance;
import weir.measure.Balances;
import weir.measure.Series;
import weir.plan.RecordKeys;
import weir.plan.SyntheticTrial;
import weir.plan.property.Property;
import weir.results.PlannedTrial;
import weir.results.value.Figures;
import weir.results.value.Figures.LagResult;

class PromisesTest {
    private static final Promises CALM = new Promises(true, false, true, true);

    private static Figures balance(long lost, long duplicated, long reordered) {
        Balance balance = Balances.of(
                "due 9, sent 9, acked 9, received 9, lost $1, duplicated $2, reordered $3",
                lost,
                duplicated,
                reordered);
        return TrialJudge.calculated(
                new Series().total(0, 0),
                balance,
                1,
                PlannedTrial.of(SyntheticTrial.of(1, "base", 1).variant()),
                LagResult.NONE,
                null);
    }

    @Test
    void lossWithoutDisturbanceBreaksAPromise() {
        assertThat(CALM.kept(0, 0, balance(0, 0, 0))).isTrue();
        assertThat(CALM.kept(0, 0, balance(1, 0, 0))).isFalse();
        assertThat(new Promises(false, false, false, true).kept(0, 0, balance(1, 0, 0)))
                .isTrue();
    }

    @Test
    void lossOfRecordsHeldByAGatewayBreaksNoPromise() {
        assertThat(new Promises(true, true, true, false).kept(0, 0, balance(1, 0, 0)))
                .isTrue();
        assertThat(new Promises(true, true, true, false).kept(1, 0, balance(0, 0, 0)))
                .isFalse();
    }

    @Test
    void eventsDroppedByTheirPathBreakNoKafkaPromise() {
        assertThat(CALM.kept(0, 3, balance(3, 0, 0))).isTrue();
        assertThat(CALM.kept(0, 3, balance(4, 0, 0))).isFalse();
    }

    @Test
    void redeliveredEventsBreakNoPromise() {
        Property idempotence = property("producer", "enable.idempotence", "true");
        PlannedTrial records = PlannedTrial.of(SyntheticTrial.of(1, "base", 1).variant());
        PlannedTrial events = RecordKeys.with(records, Map.of("redelivers", true));
        assertThat(Promises.of(events, List.of(idempotence)).kept(0, 0, balance(0, 5, 5)))
                .isTrue();
        assertThat(Promises.of(records, List.of(idempotence)).kept(0, 0, balance(0, 5, 5)))
                .isFalse();
    }

    @Test
    void lossOfSafeRecordsUnderDisturbanceBreaksAPromise() {
        Promises safe = new Promises(false, false, true, false);
        assertThat(safe.kept(1, 0, balance(0, 0, 0))).isTrue();
        assertThat(safe.kept(1, 0, balance(1, 0, 0))).isFalse();
        assertThat(safe.kept(1, 0, balance(Balance.UNKNOWN, 0, 0))).isTrue();
    }

    @Test
    void recordsAreSafeWithAcksAllTwoInSyncAndCleanElection() {
        assertThat(safe("-1", "2", "false", "3", "false")).isTrue();
        assertThat(safe("all", "2", "false", "2", "false")).isTrue();
        assertThat(safe("1", "2", "false", "2", "false")).isFalse();
        assertThat(safe("all", "2", "false", "1", "false")).isFalse();
        assertThat(safe("all", "2", "false", "2", "true")).isFalse();
        assertThat(Promises.of(false, false, List.of(property("producer", "acks", "all")))
                        .safe())
                .isFalse();
    }

    @Test
    void minInsyncReplicasAboveReplicationIsNotSafe() {
        List<Property> durable = new ArrayList<>(List.of(
                property("producer", "acks", "all"),
                property("topic left", "min.insync.replicas", "2"),
                property("topic left", "unclean.leader.election.enable", "false")));
        assertThat(Promises.of(false, false, durable).safe()).isFalse();
        durable.add(property("topic left", "replication", "1"));
        assertThat(Promises.of(false, false, durable).safe()).isFalse();
        assertThat(Promises.of(false, false, durable).kept(1, 0, balance(5, 0, 0)))
                .isTrue();
        durable.set(3, property("topic left", "replication", "2"));
        assertThat(Promises.of(false, false, durable).safe()).isTrue();
        assertThat(Promises.of(false, false, durable).kept(1, 0, balance(5, 0, 0)))
                .isFalse();
    }

    private static boolean safe(String acks, String left, String leftUnclean, String right, String rightUnclean) {
        return Promises.of(
                        false,
                        false,
                        List.of(
                                property("topic left", "replication", "3"),
                                property("topic right", "replication", "3"),
                                property("producer", "acks", acks),
                                property("topic left", "min.insync.replicas", left),
                                property("topic left", "unclean.leader.election.enable", leftUnclean),
                                property("topic right", "min.insync.replicas", right),
                                property("topic right", "unclean.leader.election.enable", rightUnclean)))
                .safe();
    }

    private static Property property(String of, String name, String effective) {
        return new Property(of, name, "", effective, "", Property.Source.DEFAULT);
    }

    @Test
    void lossWithAcksZeroBreaksAPromiseOnOwnBrokersOnly() {
        Property acks = property("producer", "acks", "0");
        assertThat(Promises.of(true, false, List.of(acks)).kept(0, 0, balance(1, 0, 0)))
                .isFalse();
        assertThat(Promises.of(false, false, List.of(acks)).kept(0, 0, balance(1, 0, 0)))
                .isTrue();
    }

    @Test
    void undisturbedNoBrokerDies() {
        assertThat(CALM.kept(1, 0, balance(0, 0, 0))).isFalse();
    }

    @Test
    void duplicatesOfAnIdempotentProducerBreakAPromise() {
        Promises disturbed = new Promises(false, false, true, true);
        assertThat(disturbed.kept(1, 0, balance(0, 1, 0))).isFalse();
        assertThat(disturbed.kept(1, 0, balance(0, 0, 1))).isFalse();
        assertThat(new Promises(true, false, true, false).kept(0, 0, balance(0, 1, 1)))
                .isTrue();
    }

    @Test
    void tornTransactionUnderDisturbanceBreaksAPromise() {
        Promises disturbed = new Promises(false, false, true, true);
        assertThat(disturbed.kept(1, 0, transactions(9, 0L, 0L, 0L, 0L, 0L))).isTrue();
        assertThat(disturbed.kept(1, 0, transactions(9, 1L, 0L, 0L, 0L, 0L))).isFalse();
        assertThat(disturbed.kept(1, 0, transactions(9, 0L, 1L, 0L, 0L, 0L))).isFalse();
        assertThat(disturbed.kept(1, 0, transactions(9, 0L, 0L, 1L, 0L, 0L))).isFalse();
        assertThat(disturbed.kept(1, 0, transactions(9, 0L, 0L, 0L, 1L, 0L))).isFalse();
        assertThat(disturbed.kept(1, 0, transactions(9, 0L, 0L, 0L, 0L, 1L))).isFalse();
        assertThat(disturbed.kept(1, 0, transactions(9, null, null, null, null, null)))
                .isTrue();
    }

    @Test
    void streamWithoutTransactionsMayLoseRecordsUnderDisturbance() {
        assertThat(new Promises(false, false, true, true).kept(0, 0, transactions(0, 0L, 0L, 1L, 0L, 1L)))
                .isTrue();
        assertThat(CALM.kept(0, 0, transactions(0, 0L, 0L, 1L, 0L, 0L))).isFalse();
    }

    private static Figures transactions(
            long count,
            @Nullable Long abortedReads,
            @Nullable Long torn,
            @Nullable Long offsets,
            @Nullable Long records,
            @Nullable Long twice) {
        Atomicity atomicity = new Atomicity(count, 0, 0, 0, abortedReads, torn, offsets, records, twice, List.of());
        Figures f = balance(0, 0, 0);
        return new Figures(f.counts(), f.rates(), f.latencies(), f.lag(), atomicity);
    }

    @Test
    void unknownLossBreaksNoPromise() {
        assertThat(CALM.kept(0, 0, balance(Balance.UNKNOWN, Balance.UNKNOWN, Balance.UNKNOWN)))
                .isTrue();
    }

    @Test
    void theEffectivePropertiesDecide() {
        Property acks = new Property("producer", "acks", "0", "0", "all", Property.Source.YOURS);
        Property idempotence =
                new Property("producer", "enable.idempotence", "", "false", "true", Property.Source.OVERRIDDEN);
        assertThat(Promises.of(true, false, List.of(acks, idempotence)))
                .isEqualTo(new Promises(true, false, false, false));
    }
}
