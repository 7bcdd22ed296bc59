package weir.real;

import weir.cluster.start.EmbeddedCluster;

/** The real client keeps the contract on the oldest Kafka; {@code -Dweir.old=2.8.2} tries another. */
class OldKafkaIT extends EngineContract {
    @Override
    Carried.Engines engines() {
        return Carrier.CLIENT;
    }

    @Override
    EmbeddedCluster cluster(SharedKafka.Clusters clusters) {
        return clusters.of(Kafkas.of(System.getProperty("weir.old", "2.7.2"), 1));
    }
}
