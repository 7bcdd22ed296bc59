package weir.plan.check;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import weir.plan.Plans;

class TransactionChecksTest {
    private static String load(String load) {
        return Plans.problems("topics: { a: {}, b: {} }\nload: { " + load + " }");
    }

    @Test
    void aTimeoutAboveTheOneOfTheBrokersIsRefused() {
        String plan = "cluster: { broker: { transaction.max.timeout.ms: %s } }\n"
                + "load: { transaction: each, producer: { transaction.timeout.ms: 900001 } }";
        assertThat(Plans.problems("topics: { a: {} }\n" + String.format(plan, "900000")))
                .contains(
                        "load.producer.transaction.timeout.ms: is above the brokers' transaction.max.timeout.ms, 900000");
        assertThat(Plans.problems("topics: { a: {} }\n" + String.format(plan, "900001")))
                .isEmpty();
    }

    @Test
    void aTransactionNeedsAcksOfAllAndIdempotence() {
        assertThat(load("transaction: each, producer: { acks: 1 }"))
                .contains("load.producer.acks: '1' and a transaction exclude each other");
        assertThat(load("transaction: each, producer: { enable.idempotence: false }"))
                .contains("load.producer.enable.idempotence: 'false' and a transaction exclude each other");
        assertThat(load("transaction: each, producer: { acks: -1 }")).isEmpty();
    }

    @Test
    void transactionTakesWholeOperationsAndAllThatAreMeasured() {
        assertThat(load("workload: write, topics: [a, b], transaction: { records: 3 }"))
                .contains("load.transaction.records: '3' is not a whole number of operations, of which each writes 2");
        String measured = "topics: { a: {}, b: {} }\nload: { rate: one at a time, transaction: { records: 30 } }\n";
        assertThat(Plans.problems(measured + "measure: { operations: 100 }"))
                .contains("'30' does not divide the 100 records that are measured")
                .contains("write measure: { operations: 90 }");
        assertThat(Plans.problems(measured + "measure: { operations: 90 }")).isEmpty();
    }

    @Test
    void protocolThatAReleaseDoesNotHaveIsRefused() {
        String plan = "cluster: { kafka: %s, features: { transaction.version: %d } }";
        assertThat(Plans.problems(plan.formatted("3.9.2", 2)))
                .contains("Kafka 3.9.2 has no level 2 of the transaction protocol; it came with 4.0.0");
        assertThat(Plans.problems(plan.formatted("4.3.1", 3))).contains("there is no level 3");
        assertThat(Plans.problems(plan.formatted("4.3.1", 2))).isEmpty();
    }

    @Test
    void replicasThatCannotBeInSyncAreFound() {
        assertThat(Plans.problems("""
                cluster: { brokers: 3, broker: { min.insync.replicas: 2 } }
                topics: { a: { replication: 1 } }
                load: { transaction: each }
                """)).contains("topics.a.replication: topic 'a' has 1 replica and needs 2 in sync");
        assertThat(Plans.problems("""
                cluster:
                  broker: { transaction.state.log.min.isr: 2, transaction.state.log.replication.factor: 1 }
                load: { transaction: each }
                """)).contains("'2' is more than the 1 of transaction.state.log.replication.factor");
    }

    @Test
    void logOfTransactionsNeedsAsManyBrokersAsReplicas() {
        String plan = "cluster: { brokers: 1, broker: { transaction.state.log.%s } }\nload: { transaction: each }";
        assertThat(Plans.problems(plan.formatted("min.isr: 2")))
                .contains("cluster.broker.transaction.state.log.min.isr: '2' is more than the 1 replica that 1 broker"
                        + " allows, so no transaction could begin");
        assertThat(Plans.problems(plan.formatted("replication.factor: 3")))
                .contains("'3' replicas need as many brokers, and there is 1, so no transaction could begin; write at"
                        + " most 1, or brokers: 3");
        assertThat(Plans.problems(plan.formatted("min.isr: 1"))).isEmpty();
    }

    @Test
    void kafkasOwnTopicsNeedAsManyBrokersAsReplicasWhateverTheLoadIs() {
        String plan = "cluster: { brokers: 1, broker: { %s.replication.factor: 3 } }\nload: { rate: 1/s }";
        assertThat(Plans.problems(plan.formatted("offsets.topic")))
                .contains(
                        "cluster.broker.offsets.topic.replication.factor: '3' replicas need as many brokers, and there is 1,"
                                + " so no consumer group could begin; write at most 1, or brokers: 3");
        assertThat(Plans.problems(plan.formatted("transaction.state.log"))).contains("so no transaction could begin");
    }

    @Test
    void topicThatIsNotThereIsFound() {
        assertThat(load("transaction: each, topics: [absent]")).contains("there is no topic 'absent'; known: a, b");
    }
}
