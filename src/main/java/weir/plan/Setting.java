package weir.plan;

/** One value of the resolved plan, as text, and its origin: {@code default}, {@code file.yaml:12}, {@code --set} … */
public record Setting(String path, String value, String origin) {
    /** The path prefix of broker properties that a preset needs on an external cluster, set by its operator. */
    public static final String OF_OPERATOR = "preset.broker";

    /** The broker property that the operator must set for a preset; empty for any other setting. */
    public String askedOfOperator() {
        return path.startsWith(OF_OPERATOR + ".") ? path.substring(OF_OPERATOR.length() + 1) : "";
    }
}
