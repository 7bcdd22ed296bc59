package weir.plan;

/** One value of the resolved plan, as text, and where it came from: {@code default}, {@code file.yaml:12}, {@code --set} … */
public record Setting(String path, String value, String origin) {
    /** The first part of the paths of properties that a preset asks of an external cluster's operator. */
    public static final String OF_OPERATOR = "preset.broker";

    /** The broker property that a preset asks its operator for; empty for any other setting. */
    public String askedOfOperator() {
        return path.startsWith(OF_OPERATOR + ".") ? path.substring(OF_OPERATOR.length() + 1) : "";
    }
}
