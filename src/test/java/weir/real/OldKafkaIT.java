package weir.real;

/** The real client keeps the contract on the oldest Kafka; {@code -Dweir.old=2.8.2} tries another. */
class OldKafkaIT extends EngineContract {
    @Override
    Carried.Engines engines() {
        return Carrier.CLIENT;
    }

    @Override
    String release() {
        return System.getProperty("weir.old", "2.7.2");
    }
}
