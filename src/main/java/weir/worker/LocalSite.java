package weir.worker;

import java.nio.file.Path;
import java.util.SortedMap;
import weir.host.Children;
import weir.host.Place;

/** This machine, reached at one of its addresses. */
public record LocalSite(Place place, Children children, String address) implements ServerSite {
    @Override
    public SortedMap<String, String> properties(SortedMap<String, String> named) {
        return named;
    }

    @Override
    public StartedWorker start(WorkerJvm jvm, String name, Path log) {
        return LocalWorker.start(children, jvm, name, log, WorkerListener.NONE);
    }
}
