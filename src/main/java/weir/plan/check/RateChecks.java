package weir.plan.check;

import java.nio.file.Files;
import weir.plan.RateSpec;
import weir.plan.Variant;
import weir.plan.WarmupSpec;
import weir.plan.syntax.ProblemSpot;

/** Checks whether a variant says what is due when, and for how long. */
public record RateChecks(ProblemSpot spot, Variant variant) {
    void check() {
        RateSpec rate = variant.load().rate();
        if (!rate.timed() && variant.measure().asLongAsRates()) {
            spot.wrong("measure", "says nothing, and the rate has no length of its own; write measure: 60s");
        }
        if (rate instanceof RateSpec.Ramp r) {
            ramp(r);
        }
        if (rate instanceof RateSpec.Replay r && Files.isReadable(r.file())) {
            try {
                var unused = r.length();
            } catch (IllegalArgumentException e) {
                spot.wrong("load.rate.replay", String.valueOf(e.getMessage()));
            }
        }
        boolean silent = rate.steps().stream().allMatch(step -> step.rate().perSecond() == 0);
        if (silent && !rate.steps().isEmpty()) {
            spot.wrong("load.rate", "every step is silent");
        }
        if (variant.warmup() instanceof WarmupSpec.ForAt w && !simple(w.rate())) {
            spot.wrong("warmup.rate", "a warm-up takes max, a closed loop or one fixed rate");
        }
    }

    private void ramp(RateSpec.Ramp ramp) {
        String from = ramp.from().text();
        if (ramp.from().unit() != ramp.to().unit()) {
            spot.wrong("load.rate.ramp.to", "'" + ramp.to().text() + "' is not of the unit of from: " + from);
        } else if (ramp.from().equals(ramp.to())) {
            spot.wrong("load.rate.ramp.to", "'" + from + "' is where it starts, so nothing rises; write rate: " + from);
        }
    }

    private static boolean simple(RateSpec rate) {
        return rate.closed() || rate instanceof RateSpec.Fixed;
    }
}
