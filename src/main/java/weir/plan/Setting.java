package weir.plan;

/** One value of the resolved plan, as text, and where it came from: {@code default}, {@code file.yaml:12}, {@code --set} … */
public record Setting(String path, String value, String origin) {}
