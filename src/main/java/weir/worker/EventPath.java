package weir.worker;

import java.io.IOException;
import java.nio.file.Path;
import java.util.function.LongSupplier;
import java.util.function.ObjDoubleConsumer;
import weir.feature.Feature;
import weir.feature.Features;
import weir.host.Children;
import weir.measure.LoadListener;

/** A feature's processes on the path of an event. */
public interface EventPath {
    static EventPath known() {
        return Features.first(Feature::eventPaths, "event delivery");
    }

    /**
     * Starts the processes of a trial; returns when all of them can be connected to. The receiver may come later.
     *
     * @param folder of the trial, for their logs
     * @param listener receives their own figures
     */
    Bridge start(Children children, RungsAssignment assignment, Path folder, LoadListener listener);

    /** Starts one of these processes in this JVM; {@code clock} is the time at which events are due. */
    Hop serve(RungSettings settings, LongSupplier clock) throws IOException;

    /** One process on the path. */
    interface Hop extends AutoCloseable {
        /** Limits ages and times to events due in this span of the steady clock, from now on. */
        void tells(long fromNanos, long toNanos);

        /**
         * Reports its figures, all of them totals since the start; called once a second.
         *
         * @throws IllegalStateException when it does not work any more
         */
        void look(ObjDoubleConsumer<String> into);

        @Override
        void close();
    }
}
