package weir.cluster;

/** A broker property or JVM flag that Weir set, and the reason. */
public record NodeSetting(String node, String name, String value, String reason) {}
