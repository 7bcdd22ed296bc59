package weir.cluster;

/** A broker property or JVM flag that we set, and why. */
public record NodeSetting(String node, String name, String value, String reason) {}
