package weir.load;

import java.util.List;

/**
 * Those who carry one worker's share of the load.
 *
 * @param producers how many producers there are over all workers
 * @param readers how many readers there are over all workers
 */
public record Crew(List<Outbox> outboxes, int producers, List<Inbox> inboxes, int readers) {
    public Crew {
        outboxes = List.copyOf(outboxes);
        inboxes = List.copyOf(inboxes);
    }
}
