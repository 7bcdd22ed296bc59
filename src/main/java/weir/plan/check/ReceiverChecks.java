package weir.plan.check;

import java.util.Locale;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import weir.plan.BridgeSpec;
import weir.plan.EnumNames;
import weir.plan.LoadSpec;
import weir.plan.ReceiverSpec;
import weir.plan.Setting;
import weir.plan.Variant;
import weir.plan.syntax.ProblemSpot;

/**
 * Checks what receives events by HTTP: there is one, and nobody from outside reaches it unasked.
 *
 * @param events true when events are received by HTTP
 */
record ReceiverChecks(ProblemSpot spot, Variant variant, boolean events) {
    private static final Pattern REFERENCE = Pattern.compile("\\$\\{(env|file|secret):[^}]+}");
    private static final Pattern URL =
            Pattern.compile("https?://([^/?#\\s@:]+|\\[[^]]+])(?::([0-9]{1,5}))?(/[^?#\\s]*)?");
    private static final Set<String> EVERYWHERE = Set.of("0.0.0.0", "[::]");

    void check() {
        LoadSpec load = variant.load();
        if (!events) {
            variant.settings().values().stream()
                    .filter(setting -> setting.path().equals("load.listen")
                            || setting.path().startsWith("load.receiver."))
                    .filter(setting -> !setting.origin().equals("default"))
                    .map(Setting::path)
                    .forEach(path -> spot.wrong(
                            path,
                            "nothing is received by HTTP, but by the engine "
                                    + EnumNames.of(load.consumers().engine())
                                    + "; leave it out, or write workload: deliver and engine: http"));
            return;
        }
        if (load.workload() != LoadSpec.Workload.DELIVER) {
            spot.wrong(
                    "load.engine",
                    "only what the workload deliver sends is received by HTTP; write workload: deliver, or engine: {"
                            + " send: http, receive: client }");
        }
        if (load.consumers().count() != 1) {
            spot.wrong(
                    "load.consumers",
                    "'" + load.consumers().count() + "': one receiver takes all events; leave it out, or write"
                            + " bridge.subscribers for more who get them");
        }
        receiver(load.consumers().receiver());
    }

    private void receiver(ReceiverSpec receiver) {
        boolean certificate = !receiver.certificate().toString().isEmpty();
        boolean key = !receiver.key().toString().isEmpty();
        if (certificate != key) {
            spot.wrong(
                    "load.receiver." + (certificate ? "certificate" : "key"),
                    "a certificate and its key are of use together only; write " + (certificate ? "key" : "certificate")
                            + ", too, or leave out both");
        }
        if (!receiver.token().isEmpty() && !REFERENCE.matcher(receiver.token()).matches()) {
            spot.wrong("load.receiver.token", "a token is a secret; write ${env:NAME} or ${file:PATH}");
        }
        boolean way = variant.bridge() instanceof BridgeSpec.Delivery;
        boolean direct = variant.bridge() instanceof BridgeSpec.Delivery delivery
                && delivery.path() == BridgeSpec.DeliveryPath.DIRECT;
        if (way && (certificate || key)) {
            spot.wrong(
                    "load.receiver." + (certificate ? "certificate" : "key"),
                    "the processes on a path deliver on this machine, without TLS; leave it out, or write bridge: {"
                            + " url: … } for a system that is there");
        }
        if (way && !direct && !receiver.token().isEmpty()) {
            spot.wrong(
                    "load.receiver.token",
                    "the processes on a path bring none, so nothing would be received; leave it out, or write bridge:"
                            + " { url: … } for a system that is there");
        }
        if (!receiver.listen().isEmpty()
                && !loopback(host(receiver.listen()))
                && receiver.token().isEmpty()
                && !certificate) {
            spot.wrong(
                    "load.listen",
                    "'" + receiver.listen() + "' takes events of anybody who reaches it; write 127.0.0.1, or receiver:"
                            + " { token: ${env:NAME} }, or a certificate and a key");
        }
    }

    /** True for the URL of a server. */
    static boolean url(String text) {
        return URL.matcher(text).matches();
    }

    /** True when a URL leads to an address that is listened on. */
    static boolean leads(String url, String listen) {
        Matcher m = URL.matcher(url);
        if (listen.isEmpty() || !m.matches()) {
            return false;
        }
        String port = m.group(2) != null ? m.group(2) : url.startsWith("https") ? "443" : "80";
        String host = m.group(1).toLowerCase(Locale.ROOT);
        String own = host(listen);
        boolean here = loopback(host) && (loopback(own) || EVERYWHERE.contains(own));
        return Integer.parseInt(port) == Integer.parseInt(listen.substring(listen.lastIndexOf(':') + 1))
                && (here || host.equals(own));
    }

    private static String host(String listen) {
        return listen.substring(0, listen.lastIndexOf(':')).toLowerCase(Locale.ROOT);
    }

    private static boolean loopback(String host) {
        return host.equals("localhost") || host.equals("[::1]") || host.matches("127(\\.[0-9]{1,3}){3}");
    }
}
