package weir.host;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.Date;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class SelfSignedTest {
    @Test
    void theCertificateIsGoodForTheAddressesAndSignedByItsOwnKey() throws Exception {
        Instant from = Instant.parse("2026-03-01T00:00:00Z");
        Instant until = Instant.parse("2027-03-01T00:00:00Z");
        SelfSigned made = SelfSigned.make(from, until, Set.of("10.1.2.3", "10.1.2.4"));
        X509Certificate certificate = (X509Certificate) CertificateFactory.getInstance("X.509")
                .generateCertificate(
                        new ByteArrayInputStream(made.certificatePem().getBytes(StandardCharsets.US_ASCII)));
        assertThat(certificate).isEqualTo(made.certificate());
        certificate.verify(certificate.getPublicKey());
        assertThat(certificate.getNotBefore()).isEqualTo(Date.from(from));
        assertThat(certificate.getNotAfter()).isEqualTo(Date.from(until));
        assertThat(certificate.getSubjectAlternativeNames())
                .containsExactlyInAnyOrder(List.of(2, "localhost"), List.of(7, "10.1.2.3"), List.of(7, "10.1.2.4"));
    }
}
