package weir.real;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import java.util.jar.Attributes;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import java.util.stream.Collectors;
import org.apache.kafka.common.Endpoint;
import org.apache.kafka.common.acl.AclBinding;
import org.apache.kafka.common.acl.AclBindingFilter;
import org.apache.kafka.server.authorizer.AclCreateResult;
import org.apache.kafka.server.authorizer.AclDeleteResult;
import org.apache.kafka.server.authorizer.Action;
import org.apache.kafka.server.authorizer.AuthorizableRequestContext;
import org.apache.kafka.server.authorizer.AuthorizationResult;
import org.apache.kafka.server.authorizer.Authorizer;
import org.apache.kafka.server.authorizer.AuthorizerServerInfo;

/** An interceptor of every request to a broker, which burns CPU for a topic with a special name. */
public final class HotAuthorizer implements Authorizer {
    private static final int TURNS = 200_000;

    private volatile long burnt;

    /** Does nothing: as an agent, the jar gets to the class path of the broker. */
    public static void premain(String arguments) {
        // The class only needs to be on the class path.
    }

    /** Makes a jar for {@code -javaagent} with only this class. */
    public static Path jar(Path folder) throws IOException {
        Path file = folder.resolve("hot.jar");
        Manifest manifest = new Manifest();
        manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
        manifest.getMainAttributes().putValue("Premain-Class", HotAuthorizer.class.getName());
        String entry = HotAuthorizer.class.getName().replace('.', '/') + ".class";
        try (JarOutputStream jar = new JarOutputStream(Files.newOutputStream(file), manifest);
                InputStream code = HotAuthorizer.class.getClassLoader().getResourceAsStream(entry)) {
            if (code == null) {
                throw new IOException("no " + entry);
            }
            jar.putNextEntry(new JarEntry(entry));
            code.transferTo(jar);
        }
        return file;
    }

    @Override
    public List<AuthorizationResult> authorize(AuthorizableRequestContext context, List<Action> actions) {
        if (actions.stream().anyMatch(action -> action.resourcePattern().name().contains("hot"))) {
            burn();
        }
        return Collections.nCopies(actions.size(), AuthorizationResult.ALLOWED);
    }

    private void burn() {
        long sum = burnt;
        for (int i = 0; i < TURNS; i++) {
            sum = sum * 31 + (sum >>> 3 ^ i);
        }
        burnt = sum;
    }

    @Override
    public Map<Endpoint, ? extends CompletionStage<Void>> start(AuthorizerServerInfo server) {
        return server.endpoints().stream()
                .collect(Collectors.toMap(Function.identity(), endpoint -> CompletableFuture.completedStage(null)));
    }

    @Override
    public void configure(Map<String, ?> properties) {
        // There is no configuration.
    }

    @Override
    public List<? extends CompletionStage<AclCreateResult>> createAcls(
            AuthorizableRequestContext context, List<AclBinding> bindings) {
        return List.of();
    }

    @Override
    public List<? extends CompletionStage<AclDeleteResult>> deleteAcls(
            AuthorizableRequestContext context, List<AclBindingFilter> filters) {
        return List.of();
    }

    @Override
    public Iterable<AclBinding> acls(AclBindingFilter filter) {
        return List.of();
    }

    @Override
    public void close() {
        // There is nothing to close.
    }
}
