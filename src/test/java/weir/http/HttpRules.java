package weir.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.assertj.core.api.SoftAssertions;

/** The rules that each of Weir's servers on loopback without a token keeps, tested with raw bytes. */
public final class HttpRules {
    private static final String HERE = "Host: localhost\r\n";

    private HttpRules() {}

    private record Try(String request, int status, String contains) {}

    /** Tries all rules: {@code look} is a path that GET reads, {@code post} a path that POST writes to. */
    public static void holdAt(int port, String look, String post) throws IOException {
        SoftAssertions all = new SoftAssertions();
        for (Try one : tries(look, post)) {
            String answer = answer(port, one.request);
            all.assertThat(answer).as(one.request).startsWith("HTTP/1.1 " + one.status + " ");
            all.assertThat(answer.toLowerCase(Locale.ROOT)).as(one.request).contains(one.contains);
        }
        all.assertAll();
        headHasNoBody(port, look);
        keepAliveOfHttp10IsToldOrRefused(port, look);
    }

    private static List<Try> tries(String look, String post) {
        List<Try> all = new ArrayList<>();
        String get = "GET " + look + " HTTP/1.1\r\n";
        // Health checks may use any Host header.
        int misnamed = look.equals("/healthz") ? 200 : 421;
        all.add(new Try(get, 400, "host"));
        all.add(new Try(get + HERE + HERE, 400, "host"));
        all.add(new Try(get + "Host: local host\r\n", 400, "host"));
        all.add(new Try(get + "Host: attacker.example\r\n", misnamed, ""));
        all.add(new Try(get + "Host: 127.0.0.1.attacker.example:80\r\n", misnamed, ""));
        all.add(new Try(get + "Host: LocalHost:81\r\n", 200, ""));
        all.add(new Try(get + "Host: [::1]:81\r\n", 200, ""));
        all.add(new Try("GET " + look + " HTTP/1.0\r\n", 200, ""));
        all.add(new Try("GET http://localhost:81" + look + " HTTP/1.1\r\n" + HERE, 200, ""));
        all.add(new Try("GET http://attacker.example" + look + " HTTP/1.1\r\n" + HERE, misnamed, ""));
        for (String foreign : List.of(
                "Origin: http://attacker.example\r\n",
                "Origin: null\r\n",
                "Sec-Fetch-Site: cross-site\r\nSec-Fetch-Mode: no-cors\r\n",
                "Sec-Fetch-Site: same-site\r\nSec-Fetch-Mode: cors\r\n")) {
            all.add(new Try(get + HERE + foreign, 403, ""));
            all.add(new Try("POST " + post + " HTTP/1.1\r\n" + HERE + foreign + "Content-Length: 0\r\n", 403, ""));
        }
        // A page whose name resolves to this machine has the same origin.
        all.add(new Try(
                "POST " + post + " HTTP/1.1\r\nHost: attacker.example\r\nOrigin: http://attacker.example\r\n"
                        + "Content-Length: 0\r\n",
                421,
                ""));
        all.add(new Try(
                get + HERE + "Sec-Fetch-Site: cross-site\r\nSec-Fetch-Mode: navigate\r\nSec-Fetch-Dest: document\r\n",
                200,
                ""));
        String sent = "POST " + post + " HTTP/1.1\r\n" + HERE;
        all.add(new Try(sent + "Content-Encoding: gzip\r\nContent-Length: 0\r\n", 415, "accept-encoding: identity"));
        all.add(new Try(
                sent + "Content-Encoding: identity\r\nContent-Encoding: br\r\nContent-Length: 0\r\n", 415, "identity"));
        all.add(new Try(sent + "Transfer-Encoding: gzip, chunked\r\n", 501, ""));
        all.add(new Try(sent + "Expect: tea\r\nContent-Length: 0\r\n", 417, "100-continue"));
        all.add(new Try("OPTIONS " + look + " HTTP/1.1\r\n" + HERE, 200, "allow: get, head, options"));
        all.add(new Try("OPTIONS " + post + " HTTP/1.1\r\n" + HERE, 200, "allow: post, options"));
        all.add(new Try("DELETE " + look + " HTTP/1.1\r\n" + HERE, 405, "allow: get, head, options"));
        all.add(new Try("GET " + post + " HTTP/1.1\r\n" + HERE, 405, "allow: post, options"));
        all.add(new Try("BREW " + look + " HTTP/1.1\r\n" + HERE, 501, ""));
        return all;
    }

    private static void headHasNoBody(int port, String look) throws IOException {
        String got = answer(port, "GET " + look + " HTTP/1.1\r\n" + HERE);
        String head = answer(port, "HEAD " + look + " HTTP/1.1\r\n" + HERE);
        assertThat(head).startsWith("HTTP/1.1 200 ").endsWith("\r\n\r\n");
        assertThat(length(head)).isEqualTo(length(got)).isEqualTo(String.valueOf(body(got)));
    }

    private static int body(String answer) {
        return answer.length() - answer.indexOf("\r\n\r\n") - 4;
    }

    private static String length(String answer) {
        return answer.toLowerCase(Locale.ROOT).replaceAll("(?s).*\r\ncontent-length: (\\d+)\r\n.*", "$1");
    }

    /** As {@code ab -k} asks: without a keep-alive answer it waits for the end of the connection. */
    private static void keepAliveOfHttp10IsToldOrRefused(int port, String look) throws IOException {
        String request = "GET " + look + " HTTP/1.0\r\n" + HERE + "Connection: Keep-Alive\r\n\r\n";
        try (RawClient client = client(port)) {
            String head = client.send(request).readTo("\r\n\r\n");
            client.socket().getInputStream().readNBytes(Integer.parseInt(length(head)));
            if (head.toLowerCase(Locale.ROOT).contains("connection: keep-alive")) {
                assertThat(client.send(request).readTo("\r\n\r\n")).startsWith("HTTP/1.1 200 ");
            } else {
                assertThat(client.readAll()).isEmpty();
            }
        }
    }

    /** Returns the complete answer to a request that ends its connection; adds the empty line of the request. */
    public static String answer(int port, String request) throws IOException {
        try (RawClient client = client(port)) {
            return client.send(request + "Connection: close\r\n\r\n").readAll();
        }
    }

    private static RawClient client(int port) throws IOException {
        return new RawClient(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
    }

    /**
     * Opens connections that send nothing, and others that send half a head, more than a server has places. A client
     * with a request still gets an answer.
     */
    public static void silentClientsTakeNoPlace(InetSocketAddress server, int places, String look) throws IOException {
        List<RawClient> held = new ArrayList<>();
        try {
            for (int i = 0; i < places + 20; i++) {
                RawClient silent = new RawClient(server);
                held.add(silent);
                silent.send(i % 2 == 0 ? "GET / HT" : "");
            }
            for (int i = 0; i < 5; i++) {
                assertThat(answer(server.getPort(), "GET " + look + " HTTP/1.1\r\n" + HERE))
                        .startsWith("HTTP/1.1 200 ");
            }
        } finally {
            for (RawClient silent : held) {
                silent.close();
            }
        }
    }
}
