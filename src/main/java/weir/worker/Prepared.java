package weir.worker;

import java.util.List;

/**
 * A worker whose clients exist and whose readers have a position.
 *
 * @param notes what is worth knowing before anything is measured
 */
public record Prepared(List<String> notes) {
    public Prepared {
        notes = List.copyOf(notes);
    }
}
