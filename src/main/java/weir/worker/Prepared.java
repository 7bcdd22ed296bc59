package weir.worker;

import java.util.List;

/**
 * A worker whose clients exist and whose readers have a position.
 *
 * @param notes remarks for the user before the measurement
 */
public record Prepared(List<String> notes) {
    public Prepared {
        notes = List.copyOf(notes);
    }
}
