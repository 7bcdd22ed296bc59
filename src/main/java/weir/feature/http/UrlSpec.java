package weir.feature.http;

import weir.plan.BridgeSpec;

/** A server that Weir does not start: {@code bridge.url}. */
public record UrlSpec(String url) implements BridgeSpec {
    @Override
    public boolean queued() {
        return true;
    }

    @Override
    public String ackedNote() {
        return "the server of bridge.url is not ours, so acked means answered with 2xx by that server";
    }
}
