package weir.live;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.Base64;
import java.util.Locale;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Who may ask. With a token, whoever has it; without one, whoever calls this machine by a name of its own: a page whose
 * name was made to mean this machine (DNS rebinding) gives itself away by that name.
 *
 * @param token empty for none
 * @param host the name by which the server was asked to listen
 */
record LiveAccess(String token, String host) {
    private static final Set<String> LOOPBACK = Set.of("localhost", "127.0.0.1", "[::1]");
    private static final String BEARER = "bearer ";
    private static final String BASIC = "basic ";

    /** The reason why a request is refused; null when it is not. */
    LiveAnswer.@Nullable Whole refusal(LiveRequest request) {
        if (request.foreign()) {
            return LiveAnswer.line(403, "a page of another place may not ask here");
        }
        if (!token.isEmpty()) {
            return same(credentials(request.header("authorization"))) ? null : unauthorised();
        }
        String asked = request.header("host").replaceFirst(":\\d+$", "").toLowerCase(Locale.ROOT);
        if (LOOPBACK.contains(asked) || asked.equals(bracketed())) {
            return null;
        }
        return LiveAnswer.line(
                421, "this server is called 127.0.0.1 or localhost; behind another name it needs a token");
    }

    private String bracketed() {
        return (host.indexOf(':') < 0 ? host : "[" + host + "]").toLowerCase(Locale.ROOT);
    }

    // Browsers ask their user for a name and a password; the token is the password, whatever the name.
    private static String credentials(String header) {
        String scheme = header.toLowerCase(Locale.ROOT);
        if (scheme.startsWith(BEARER)) {
            return header.substring(BEARER.length()).strip();
        }
        if (!scheme.startsWith(BASIC)) {
            return "";
        }
        try {
            byte[] pair =
                    Base64.getDecoder().decode(header.substring(BASIC.length()).strip());
            String text = new String(pair, StandardCharsets.UTF_8);
            return text.substring(text.indexOf(':') + 1);
        } catch (IllegalArgumentException noBase64) {
            return "";
        }
    }

    private boolean same(String given) {
        return MessageDigest.isEqual(given.getBytes(StandardCharsets.UTF_8), token.getBytes(StandardCharsets.UTF_8));
    }

    private static LiveAnswer.Whole unauthorised() {
        TreeMap<String, String> headers = new TreeMap<>();
        headers.put("www-authenticate", "Basic realm=\"weir\", charset=\"UTF-8\"");
        LiveAnswer.Whole line = LiveAnswer.line(
                401, "a token is needed: Authorization: Bearer TOKEN, or the token as the password of any user");
        return new LiveAnswer.Whole(line.status(), line.type(), headers, line.body());
    }

    /** Names no secret. */
    @Override
    public String toString() {
        return token.isEmpty() ? "whoever is on this machine" : "whoever has the token";
    }
}
