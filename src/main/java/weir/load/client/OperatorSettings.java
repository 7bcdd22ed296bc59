package weir.load.client;

import weir.plan.LoadSpec;

/**
 * The settings of producers that carry more than single records.
 *
 * @param transactionalId how the ids of the producers begin unless the user chose one; empty where there are no transactions
 * @param sources how many of the topics, the first ones, a stream reads; 0 without a stream
 * @param bounded whether a stream reads no more than is there when it begins
 * @param committed whether what nobody reads live is read back committed
 * @param producers how many there are over all workers
 */
public record OperatorSettings(String transactionalId, int sources, boolean bounded, boolean committed, int producers) {
    /** {@code group} is the name on the cluster that ids begin with, {@code sources} how many topics a stream reads. */
    public static OperatorSettings of(LoadSpec load, String group, int sources) {
        boolean transactional = !load.transaction().none();
        String id = group.startsWith("weir-") ? group : "weir-" + group;
        return new OperatorSettings(
                transactional ? id : "",
                load.workload() == LoadSpec.Workload.STREAM ? sources : 0,
                !load.backlog().none(),
                transactional && load.workload() != LoadSpec.Workload.DELIVER,
                load.producers().count());
    }

    /** The id of the producer of a number; {@code chosen} is empty or what the user chose. */
    String id(String chosen, int number) {
        if (chosen.isEmpty()) {
            return transactionalId + "-" + number;
        }
        return producers == 1 ? chosen : chosen + "-" + number;
    }

    boolean transactional() {
        return !transactionalId.isEmpty();
    }
}
