package weir.feature.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigInteger;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.interfaces.ECPrivateKey;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.Base64;
import org.junit.jupiter.api.Test;

class ClientKeysTest {
    // Made for this test by openssl ecparam, and written again by openssl pkcs8 -topk8; the second has lengths of two
    // bytes.
    private static final String SHORT = """
            -----BEGIN EC PRIVATE KEY-----
            MHcCAQEEIAPxYjUy8gK8BAJgRLDcn4dXJTT11Rv9iz9egaPYzHjnoAoGCCqGSM49
            AwEHoUQDQgAEBEAQLw3j/1Su5q0Tkp84K2JMukRHPItl+UE2BhcmtK/au7JE6Yp4
            8/hmSnAvvAz7ee2R7QURj4VNhrm80JaJ3Q==
            -----END EC PRIVATE KEY-----
            """;
    private static final String SHORT_MODERN = """
            -----BEGIN PRIVATE KEY-----
            MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgA/FiNTLyArwEAmBE
            sNyfh1clNPXVG/2LP16Bo9jMeOehRANCAAQEQBAvDeP/VK7mrROSnzgrYky6REc8
            i2X5QTYGFya0r9q7skTpinjz+GZKcC+8DPt57ZHtBRGPhU2GubzQlond
            -----END PRIVATE KEY-----
            """;
    private static final String LONG = """
            -----BEGIN EC PRIVATE KEY-----
            MIHcAgEBBEIBrHHQvQsMZ//eVML+3wun8wi5zc5CEdymhbnGFyEaCjWApItvFsbT
            aI2cEfn+Bgxde/YSdbqk1fgfxVHh+suMgmSgBwYFK4EEACOhgYkDgYYABAFw8dAM
            8rxqbSpagO3SZ/rLdAdeqWET+ZMbk8qeUgsJoS0ORgUAqBfXk3kkGC9QQO4vU5Wh
            3ce0dRU72Pt4CFYaKwF/OX0kzWaPrQEf6HUshOTSqf/i9fCYa+rSr7/djYzf8vTV
            uLkZ8pWX30vmDFLmd2O4RDRWmSsFyAiOfPJIBNmH/Q==
            -----END EC PRIVATE KEY-----
            """;
    private static final String LONG_MODERN = """
            -----BEGIN PRIVATE KEY-----
            MIHuAgEAMBAGByqGSM49AgEGBSuBBAAjBIHWMIHTAgEBBEIBrHHQvQsMZ//eVML+
            3wun8wi5zc5CEdymhbnGFyEaCjWApItvFsbTaI2cEfn+Bgxde/YSdbqk1fgfxVHh
            +suMgmShgYkDgYYABAFw8dAM8rxqbSpagO3SZ/rLdAdeqWET+ZMbk8qeUgsJoS0O
            RgUAqBfXk3kkGC9QQO4vU5Wh3ce0dRU72Pt4CFYaKwF/OX0kzWaPrQEf6HUshOTS
            qf/i9fCYa+rSr7/djYzf8vTVuLkZ8pWX30vmDFLmd2O4RDRWmSsFyAiOfPJIBNmH
            /Q==
            -----END PRIVATE KEY-----
            """;

    @Test
    void aKeyInTheOldFormIsTheOneThatOpensslReadsInIt() throws GeneralSecurityException {
        assertThat(number(ClientKeys.modern(SHORT))).isEqualTo(number(SHORT_MODERN));
        assertThat(number(ClientKeys.modern(LONG))).isEqualTo(number(LONG_MODERN));
    }

    private static BigInteger number(String pem) throws GeneralSecurityException {
        byte[] key = Base64.getMimeDecoder().decode(pem.replaceAll("-----(BEGIN|END) PRIVATE KEY-----", ""));
        return ((ECPrivateKey) KeyFactory.getInstance("EC").generatePrivate(new PKCS8EncodedKeySpec(key))).getS();
    }
}
