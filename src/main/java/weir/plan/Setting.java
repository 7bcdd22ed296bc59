package weir.plan;

/** One value of the resolved plan, as text, and where it came from: {@code default}, {@code file.yaml:12}, {@code --set} … */
public record Setting(String path, String value, String origin) {
    /** Heads the paths of what a preset asks of the brokers of a given cluster, which only its operator sets. */
    public static final String OF_OPERATOR = "preset.broker";

    /** The property of a broker that a preset asks its operator for; empty for anything else. */
    public String askedOfOperator() {
        return path.startsWith(OF_OPERATOR + ".") ? path.substring(OF_OPERATOR.length() + 1) : "";
    }
}
