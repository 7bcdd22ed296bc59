package weir.feature.readers;

import java.time.Duration;
import weir.plan.DisturbanceSpec;
import weir.plan.ReaderChange;

/**
 * A change of the consumers of a load.
 *
 * @param consumers the number of consumers; with a plus sign, they join
 */
public record ConsumersSpec(Duration at, Duration length, String consumers, ReaderChange.How how)
        implements DisturbanceSpec {
    private static final String NUMBER = "\\+?[1-9][0-9]{0,3}";

    boolean known() {
        return consumers.matches(NUMBER);
    }

    boolean joins() {
        return consumers.startsWith("+");
    }

    int number() {
        return Integer.parseInt(consumers);
    }

    @Override
    public ReaderChange readers() {
        if (!known()) {
            return ReaderChange.NONE;
        }
        return joins() ? new ReaderChange(number(), 0, how) : new ReaderChange(0, number(), how);
    }
}
