package weir.judge.caveat;

import java.util.List;
import weir.measure.Balance;
import weir.measure.Count;
import weir.plan.property.Property;
import weir.plan.syntax.CaveatType;

/** The limits of a share group that kept records from its readers. */
record ShareGroupCaveats(CaveatCollector caveats, List<Property> properties) {
    static final CaveatType SHARE_GROUP_LIMITED = CaveatType.named("share-group-limited");

    private static final double NEARLY_ALL = 0.8;
    private static final double MUCH_WAITING = 25;

    ShareGroupCaveats {
        properties = List.copyOf(properties);
    }

    /**
     * Names the limit of locks if readers wait although records are available.
     *
     * @param perPartition the mean number of locked records of a partition, as the readers know it; NaN if unknown
     * @param waiting percent of the readers' time
     * @param uncompleted the mean number of records that the group has not completed
     */
    void locks(double locked, double perPartition, double waiting, double uncompleted) {
        String limit = limit("share.partition.max.record.locks");
        boolean binds = !limit.isEmpty()
                && perPartition >= NEARLY_ALL * Long.parseLong(limit)
                && waiting >= MUCH_WAITING
                && uncompleted >= 2 * locked;
        caveats.addIf(binds, "locks", SHARE_GROUP_LIMITED, perPartition, limit, waiting, uncompleted);
    }

    void balance(Balance balance) {
        long expired = balance.of(Count.LOCK_EXPIRED);
        caveats.addIf(expired > 0, "duration", SHARE_GROUP_LIMITED, expired, limit("share.record.lock.duration.ms"));
        long undelivered = balance.of(Count.ARCHIVED) - balance.of(Count.REJECTED);
        caveats.addIf(
                undelivered > 0, "deliveries", SHARE_GROUP_LIMITED, undelivered, limit("share.delivery.count.limit"));
    }

    private String limit(String name) {
        return properties.stream()
                .filter(property ->
                        property.of().equals("group") && property.name().equals(name))
                .map(Property::effective)
                .findFirst()
                .orElse("");
    }
}
