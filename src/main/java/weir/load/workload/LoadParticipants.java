package weir.load.workload;

import java.util.List;
import weir.load.read.Inbox;
import weir.load.send.Outbox;

/**
 * The outboxes and inboxes that carry one worker's share of the load.
 *
 * @param producers how many producers there are over all workers
 * @param readers how many readers there are over all workers
 */
public record LoadParticipants(List<Outbox> outboxes, int producers, List<Inbox> inboxes, int readers) {
    public LoadParticipants {
        outboxes = List.copyOf(outboxes);
        inboxes = List.copyOf(inboxes);
    }
}
