package weir.load.workload;

import java.util.SplittableRandom;
import weir.load.message.ValueSource;

/** Values made of nothing but a size and a filling. */
final class GeneratedValues implements ValueSource {
    private final Sizes sizes;
    private final Filling filling;
    private final SplittableRandom random;
    private final boolean roomy;
    private final Buffers buffers = new Buffers();

    /** {@code roomy}: every value has room for an identity. */
    GeneratedValues(Sizes sizes, Filling filling, long seed, boolean roomy) {
        this.sizes = sizes;
        this.filling = filling;
        this.roomy = roomy;
        this.random = new SplittableRandom(seed);
    }

    @Override
    public byte[] next(long sequence) {
        byte[] value = buffers.of(sizes.next(random));
        filling.fill(value, random.nextLong());
        return value;
    }

    @Override
    public boolean generated() {
        return true;
    }

    @Override
    public boolean interchangeable() {
        return roomy;
    }
}
