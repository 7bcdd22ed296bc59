package weir.kubernetes;

import io.fabric8.kubernetes.client.KubernetesClientException;

/** Reads why Kubernetes did not do what it was asked. */
final class ApiRefusal {
    static final int UNAUTHORIZED = 401;
    static final int FORBIDDEN = 403;
    static final int MISSING = 404;

    private ApiRefusal() {}

    /** Its own words, where it has answered at all. */
    static String reason(KubernetesClientException e) {
        if (e.getStatus() != null && e.getStatus().getMessage() != null) {
            return e.getStatus().getMessage();
        }
        return e.getCause() == null ? String.valueOf(e.getMessage()) : e.getMessage() + ": " + e.getCause();
    }
}
