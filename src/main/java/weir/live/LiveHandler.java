package weir.live;

import weir.http.Resource;

/** The answers of one path. It is called by the thread of the server, which does nothing else meanwhile, and may take a second. */
public interface LiveHandler {
    LiveAnswer answer(LiveRequest request);

    default Resource resource() {
        return Resource.LOOK_WITH_ANY_QUERY;
    }
}
