package weir.search;

import java.util.List;
import weir.results.value.Attempt;

/** A question whose trials are chosen one by one. It remembers nothing: all it knows is what was tried. */
public interface Search<A> {
    /** The next step after these tries, in their order. */
    Next next(List<Attempt> tried);

    /** The answer as far as these tries tell; also of a search that was cut short. */
    A conclude(List<Attempt> tried);

    /** The next trial, or that there is none. */
    sealed interface Next {
        /**
         * A trial at one rate.
         *
         * @param rate operations per second
         * @param why what it is for, as people read it
         * @param confirms whether it is longer than the others, to show that the rate lasts
         */
        record Try(double rate, String why, boolean confirms) implements Next {
            Try(double rate, String why) {
                this(rate, why, false);
            }
        }

        record Done() implements Next {}
    }
}
