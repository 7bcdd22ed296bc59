package weir.kubernetes;

import io.fabric8.kubernetes.client.KubernetesClientException;

/** The reason why Kubernetes refused a request. */
final class ApiRefusal {
    static final int UNAUTHORIZED = 401;
    static final int FORBIDDEN = 403;
    static final int MISSING = 404;

    private ApiRefusal() {}

    static String reason(KubernetesClientException e) {
        if (e.getStatus() != null && e.getStatus().getMessage() != null) {
            return e.getStatus().getMessage();
        }
        return e.getCause() == null ? String.valueOf(e.getMessage()) : e.getMessage() + ": " + e.getCause();
    }
}
