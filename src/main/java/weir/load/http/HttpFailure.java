package weir.load.http;

/** The reason why a request came to nothing. Failures are counted by their words. */
final class HttpFailure extends RuntimeException {
    private static final long serialVersionUID = 1;

    HttpFailure(String message) {
        super(message, null, false, false);
    }
}
