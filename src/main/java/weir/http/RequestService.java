package weir.http;

/** The work that a server is there for. */
public interface RequestService {
    /** The resource at a path; refused where there is none. */
    Resource resource(String path) throws Refusal;

    /** Decides by its head what is done with a request that brings something, before its body is read. */
    Task begin(HttpHead head) throws Refusal;

    /** Answers a GET, now or later. */
    void look(String path, Reply reply);

    /** A request for which there was no room for as long as it may wait. */
    Refusal full();

    /** The part of the work that a whole request asks for. */
    interface Task {
        /**
         * Does it on the event loop of the request, and answers then or later. The bytes of the body are in the {@link
         * ByteBudget} until whoever does this gives them back; where it throws, they are given back by others.
         */
        void carryOut(HttpHead head, RequestBody body, Reply reply) throws Refusal;
    }
}
