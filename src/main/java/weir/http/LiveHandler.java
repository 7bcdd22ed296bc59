package weir.http;

/** A handler of one path. The server's only thread calls it, so a call may take at most a second. */
public interface LiveHandler {
    LiveAnswer answer(LiveRequest request);

    default Resource resource() {
        return Resource.LOOK_WITH_ANY_QUERY;
    }
}
