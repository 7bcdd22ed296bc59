package weir.wire;

import java.io.IOException;
import java.util.EnumMap;
import java.util.Map;
import javax.security.sasl.SaslException;
import org.apache.kafka.common.message.ApiVersionsRequestData;
import org.apache.kafka.common.message.ApiVersionsResponseData;
import org.apache.kafka.common.message.SaslAuthenticateRequestData;
import org.apache.kafka.common.message.SaslAuthenticateResponseData;
import org.apache.kafka.common.message.SaslHandshakeRequestData;
import org.apache.kafka.common.message.SaslHandshakeResponseData;
import org.apache.kafka.common.protocol.ByteBufferAccessor;
import org.apache.kafka.common.protocol.Errors;
import org.apache.kafka.common.protocol.Readable;
import org.jspecify.annotations.Nullable;

/** The exchange before a connection can be used: which versions there are, and who we are. */
record Handshake(Connection connection, ChannelWaiter waiter) {
    private static final byte[] NOTHING = new byte[0];

    Map<Api, Short> versions() throws IOException {
        ApiVersionsResponseData answer = ask(Api.API_VERSIONS.highest());
        if (answer.errorCode() == Errors.UNSUPPORTED_VERSION.code()) {
            answer = ask((short) 0);
        }
        if (answer.errorCode() != Errors.NONE.code()) {
            throw new IOException("broker " + connection.at() + " does not tell its versions: "
                    + Errors.forCode(answer.errorCode()).message());
        }
        Map<Api, Short> versions = new EnumMap<>(Api.class);
        for (Api api : Api.values()) {
            ApiVersionsResponseData.ApiVersion theirs = answer.apiKeys().find(api.key());
            if (theirs != null) {
                short highest = (short) Math.min(api.highest(), theirs.maxVersion());
                if (highest >= Math.max(api.lowest(), theirs.minVersion())) {
                    versions.put(api, highest);
                }
            }
        }
        return versions;
    }

    private ApiVersionsResponseData ask(short version) throws IOException {
        return connection.ask(
                waiter,
                Api.API_VERSIONS,
                version,
                new ApiVersionsRequestData().setClientSoftwareName("weir").setClientSoftwareVersion("1"),
                Handshake::read);
    }

    /** Returns when the broker has dealt with all that was sent to it before. */
    void settle() throws IOException {
        // It takes the next request of a connection when it is done with the last, also where it answers nothing to
        // that.
        var unused = ask(connection.version(Api.API_VERSIONS));
    }

    /** A broker that does not speak our version says so in version 0: a code, and nothing behind it but the versions. */
    private static ApiVersionsResponseData read(Readable from, short version) {
        ByteBufferAccessor bytes = (ByteBufferAccessor) from;
        int at = bytes.buffer().position();
        boolean older = bytes.buffer().getShort(at) == Errors.UNSUPPORTED_VERSION.code();
        return new ApiVersionsResponseData(from, older ? 0 : version);
    }

    void logIn(SaslLogin login) throws IOException {
        if (!login.needed()) {
            return;
        }
        SaslHandshakeResponseData answer = connection.ask(
                waiter,
                Api.SASL_HANDSHAKE,
                connection.version(Api.SASL_HANDSHAKE),
                new SaslHandshakeRequestData().setMechanism(login.mechanism),
                SaslHandshakeResponseData::new);
        if (answer.errorCode() != Errors.NONE.code()) {
            throw new BrokerRefusal("broker " + connection.at() + " does not take '" + login.mechanism
                    + "' as sasl.mechanism; it takes " + String.join(", ", answer.mechanisms()));
        }
        SaslLogin.Speech speech = login.speech();
        byte[] challenge = NOTHING;
        try {
            while (!speech.complete()) {
                byte @Nullable [] say = speech.answer(challenge);
                // The last word of SCRAM is the broker's; there is nothing to say to it.
                if (say != null) {
                    challenge = say(say, login);
                }
            }
        } catch (SaslException e) {
            throw new BrokerRefusal("broker " + connection.at() + " did not prove by " + login.mechanism
                    + " that it knows us: " + e.getMessage());
        }
    }

    private byte[] say(byte[] words, SaslLogin login) throws IOException {
        SaslAuthenticateResponseData answer = connection.ask(
                waiter,
                Api.SASL_AUTHENTICATE,
                connection.version(Api.SASL_AUTHENTICATE),
                new SaslAuthenticateRequestData().setAuthBytes(words),
                SaslAuthenticateResponseData::new);
        if (answer.errorCode() != Errors.NONE.code()) {
            throw new BrokerRefusal("broker " + connection.at() + " does not let us in by " + login.mechanism + ": "
                    + answer.errorMessage());
        }
        return answer.authBytes();
    }
}
