package weir.plan.syntax;

import java.net.InetSocketAddress;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import weir.plan.BacklogSpec;
import weir.plan.ByteSize;
import weir.plan.CompareSpec;
import weir.plan.DisturbanceSpec;
import weir.plan.Ratio;
import weir.plan.ValueSpec;

/** A parser of value sizes, backlogs, shares of memory, addresses and comparisons in all their notations. */
public final class ValueSyntax {
    private static final Pattern ADDRESS =
            Pattern.compile("(?:[a-zA-Z0-9+._-]+://)?([a-zA-Z0-9._%:-]+|\\[[a-zA-Z0-9._%:-]+]):([0-9]{1,5})");

    private static final Pattern ASKED =
            Pattern.compile("(?i)(name|match|collect)%5B%5D=[^&#]*(&(name|match|collect)%5B%5D=[^&#]*)*");

    static final String URL = "https?://[^/?#\\s@]+(/[^?#\\s]*)?(\\?[^#\\s]*)?";

    private static final Pattern LISTENED = Pattern.compile("([a-zA-Z0-9._-]+|\\[[a-fA-F0-9.:%]+]):([0-9]{1,5})");

    private static final int LAST_PORT = 65_535;

    private static final Pattern OVER = Pattern.compile("(\\S+) / (\\S+)");
    private static final Pattern BETWEEN = Pattern.compile("(\\S+) from (\\S+) to (\\S+)");

    private ValueSyntax() {}

    /** Refuses a list with an unusable address before a client connects. */
    static String addresses(String list) {
        for (String address : list.split(",", -1)) {
            Matcher m = ADDRESS.matcher(address.strip());
            int port = m.matches() ? Integer.parseInt(m.group(2)) : 0;
            if (!address.isBlank() && (port < 1 || port > LAST_PORT)) {
                throw new IllegalArgumentException("'" + address.strip()
                        + "' is not a broker address; write host:port, as in kafka-1:9092,kafka-2:9092");
            }
        }
        return list;
    }

    /** Reads the address of a page: {@code http://kafka-1:9404/metrics}. Messages omit possible secrets. */
    static URI url(String text) {
        if (text.contains("@")) {
            throw new IllegalArgumentException(
                    "must not have a user or a password, because the run folder keeps the experiment; write"
                            + " http://HOST:PORT/metrics");
        }
        int query = text.indexOf('?');
        if (query >= 0 && !ASKED.matcher(text.substring(query + 1)).matches()) {
            throw new IllegalArgumentException(
                    "can only have the parameters name[], match[] and collect[], because the run folder keeps the"
                            + " address; let a proxy on loopback add secrets");
        }
        try {
            URI uri = new URI(text);
            if (text.matches(URL) && uri.getHost() != null && uri.getPort() <= LAST_PORT) {
                return uri;
            }
        } catch (URISyntaxException e) {
            // The code below reports this text like any other incorrect text.
        }
        throw new IllegalArgumentException("'" + text + "' is not a page address; write http://HOST:PORT/metrics");
    }

    static InetSocketAddress address(String text) {
        Matcher m = LISTENED.matcher(text);
        int port = m.matches() ? Integer.parseInt(m.group(2)) : 0;
        if (port < 1 || port > LAST_PORT) {
            throw new IllegalArgumentException(
                    "'" + text + "' is not an address to listen on; write HOST:PORT, as in 127.0.0.1:8080");
        }
        return InetSocketAddress.createUnresolved(m.group(1), port);
    }

    /** Reads {@code 1KiB} or {@code 100B..4KiB}. */
    public static ValueSpec.Size sizes(String text) {
        int dots = text.indexOf("..");
        if (dots < 0) {
            return new ValueSpec.Size.Fixed(atLeastOne(text));
        }
        ByteSize min = atLeastOne(text.substring(0, dots).strip());
        ByteSize max = atLeastOne(text.substring(dots + 2).strip());
        if (max.bytes() < min.bytes()) {
            throw new IllegalArgumentException("must not have an end below its start, found '" + text + "'");
        }
        return new ValueSpec.Size.Between(min, max);
    }

    /** Reads {@code 1KiB: 90%, 100KiB: 10%}. */
    public static ValueSpec.Size mix(Map<String, Tree> portions) {
        List<ValueSpec.Portion> read = new ArrayList<>();
        double sum = 0;
        for (Map.Entry<String, Tree> portion : portions.entrySet()) {
            Ratio share = Units.share(portion.getValue().line());
            sum += share.share();
            read.add(new ValueSpec.Portion(atLeastOne(portion.getKey()), share));
        }
        if (Math.abs(sum - 1) > 1e-9) {
            throw new IllegalArgumentException(
                    "the shares add up to " + Math.round(sum * 1e4) / 1e2 + "%, not to 100%");
        }
        return new ValueSpec.Size.Mixed(read);
    }

    /** Reads {@code none}, {@code 10M records} or {@code 20GiB}. */
    public static BacklogSpec backlog(String text) {
        if (text.equals("none")) {
            return BacklogSpec.NONE;
        }
        if (text.endsWith(" records")) {
            return BacklogSpec.ofRecords(Units.records(text));
        }
        if (text.matches("[0-9.]+[kMG]?")) {
            throw new IllegalArgumentException(
                    "'" + text + "' has no unit; write " + text + " records, or a size such as 20GiB");
        }
        return new BacklogSpec(0, Units.size(text), BacklogSpec.Cache.WARM);
    }

    /** Reads {@code 4GiB} or {@code 98% of free}. */
    public static DisturbanceSpec.Amount amount(String text) {
        if (text.endsWith(" of free")) {
            return new DisturbanceSpec.Amount.OfFree(
                    Units.share(text.substring(0, text.length() - " of free".length())));
        }
        if (text.endsWith("%")) {
            throw new IllegalArgumentException("'" + text + "' of what? Write " + text + " of free");
        }
        return new DisturbanceSpec.Amount.Bytes(Units.size(text));
    }

    /** Reads {@code zstd / lz4} or {@code limited from stressed to quiet}. */
    public static CompareSpec comparison(String text) {
        Matcher over = OVER.matcher(text);
        if (over.matches()) {
            return new CompareSpec.Over(over.group(1), over.group(2));
        }
        Matcher between = BETWEEN.matcher(text);
        if (between.matches()) {
            return new CompareSpec.Between(between.group(1), between.group(2), between.group(3));
        }
        throw Units.unreadable(text, "a comparison", "zstd / lz4, or: limited from stressed to quiet");
    }

    private static ByteSize atLeastOne(String text) {
        ByteSize size = Units.size(text);
        if (size.bytes() < 1 || size.bytes() > Integer.MAX_VALUE) {
            throw new IllegalArgumentException("must be between 1B and 2GB, found '" + text + "'");
        }
        return size;
    }
}
