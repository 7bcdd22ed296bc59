package weir.live;

/** The answers of one path. It is called by the thread of the server, which does nothing else meanwhile, and may take a second. */
public interface LiveHandler {
    LiveAnswer answer(LiveRequest request);
}
