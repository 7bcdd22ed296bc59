package weir.cli;

/** A host and a port on a command line. Brackets mark an IPv6 address. */
public record HostPort(String host, int port) {
    private static final int LAST = 65_535;

    /**
     * Reads HOST:PORT.
     *
     * @param first the lowest allowed port
     * @throws IllegalArgumentException with text to print after the name of the option
     */
    public static HostPort read(String text, int first, String example) {
        int colon = text.lastIndexOf(':');
        String host = text.substring(0, Math.max(0, colon)).replaceAll("^\\[(.*)]$", "$1");
        int port;
        try {
            port = Integer.parseInt(text.substring(colon + 1));
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException("'" + text + "' has no port; " + advice(example), e);
        }
        if (host.isEmpty() || port < first || port > LAST) {
            throw new IllegalArgumentException("'" + text + "' is not an address; " + advice(example));
        }
        return new HostPort(host, port);
    }

    public static String advice(String example) {
        return "write HOST:PORT, such as " + example;
    }
}
