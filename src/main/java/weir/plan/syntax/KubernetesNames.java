package weir.plan.syntax;

import java.util.regex.Pattern;

/** The names that Kubernetes takes: labels of RFC 1123, labels of its own with their values, and images. */
final class KubernetesNames {
    private static final String DNS_LABEL = "[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?";
    private static final String DNS_NAME = DNS_LABEL + "(\\." + DNS_LABEL + ")*";
    private static final String LABEL_NAME = "[A-Za-z0-9]([-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?";
    private static final String IMAGE_PART = "[a-z0-9]+((\\.|__?|-+)[a-z0-9]+)*";
    private static final String DOMAIN_PART = "[A-Za-z0-9]([-A-Za-z0-9]{0,61}[A-Za-z0-9])?";

    static final String NAMESPACE = DNS_LABEL;
    static final String STORAGE_CLASS = DNS_NAME;
    static final String LABEL = "(" + DNS_NAME + "/)?" + LABEL_NAME;
    static final String LABEL_VALUE = "(" + LABEL_NAME + ")?";

    /** A host with a dot, a port or the name localhost, a path, and a tag, a digest or both. */
    static final String IMAGE = "(" + DOMAIN_PART + "(\\." + DOMAIN_PART + ")*(:[0-9]{1,5})?/)?" + IMAGE_PART + "(/"
            + IMAGE_PART + ")*(:[A-Za-z0-9_][A-Za-z0-9_.-]{0,127})?(@sha256:[0-9a-f]{64})?";

    private static final int LONGEST_DNS_NAME = 253;
    private static final int LONGEST_IMAGE = 255 + 128 + 72;

    private static final Pattern NAMESPACE_TEXT = Pattern.compile(NAMESPACE);
    private static final Pattern STORAGE_CLASS_TEXT = Pattern.compile(STORAGE_CLASS);
    private static final Pattern LABEL_TEXT = Pattern.compile(LABEL);
    private static final Pattern LABEL_VALUE_TEXT = Pattern.compile(LABEL_VALUE);
    private static final Pattern IMAGE_TEXT = Pattern.compile(IMAGE);

    private KubernetesNames() {}

    static String namespace(String text) {
        return checked(
                text,
                NAMESPACE_TEXT.matcher(text).matches(),
                "no name of a namespace; it is made of at most 63 of a-z, 0-9 and -, and begins and ends with none of -");
    }

    static String storageClass(String text) {
        return checked(
                text,
                text.length() <= LONGEST_DNS_NAME
                        && STORAGE_CLASS_TEXT.matcher(text).matches(),
                "no name of a storage class; it is made of a-z, 0-9, - and ., as kubectl get storageclass lists them");
    }

    static String label(String text) {
        int slash = text.indexOf('/');
        return checked(
                text,
                slash <= LONGEST_DNS_NAME && LABEL_TEXT.matcher(text).matches(),
                "no label of Kubernetes; write NAME or PREFIX/NAME, a name of at most 63 of A-Z, a-z, 0-9, -, _ and .");
    }

    static String labelValue(String text) {
        return checked(
                text,
                LABEL_VALUE_TEXT.matcher(text).matches(),
                "no value of a label of Kubernetes; it is at most 63 of A-Z, a-z, 0-9, -, _ and ., and begins and ends"
                        + " with a letter or a digit");
    }

    static String image(String text) {
        return checked(
                text,
                text.length() <= LONGEST_IMAGE && IMAGE_TEXT.matcher(text).matches(),
                "no image; write it like registry.example.com/weir:0.1.0");
    }

    private static String checked(String text, boolean right, String wrong) {
        if (right) {
            return text;
        }
        throw new IllegalArgumentException("'" + text + "' is " + wrong);
    }
}
