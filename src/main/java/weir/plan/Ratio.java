package weir.plan;

import java.math.BigDecimal;

/** A share: 0.5 is 50 %. */
public record Ratio(double share) {
    public Ratio {
        if (!(share >= 0) || Double.isInfinite(share)) {
            throw new IllegalArgumentException("a share must be at least 0 and finite, found " + share);
        }
    }

    public String percent() {
        return BigDecimal.valueOf(share).movePointRight(2).stripTrailingZeros().toPlainString() + "%";
    }
}
