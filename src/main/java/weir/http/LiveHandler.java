package weir.http;

/** The handler of one path. The server has a single thread, which calls it, so a call may take at most a second. */
public interface LiveHandler {
    LiveAnswer answer(LiveRequest request);

    default Resource resource() {
        return Resource.LOOK_WITH_ANY_QUERY;
    }
}
