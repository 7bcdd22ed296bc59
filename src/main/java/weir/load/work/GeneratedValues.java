package weir.load.work;

import java.util.SplittableRandom;
import weir.load.ValueSource;

/** Values made of nothing but a size and a filling. */
final class GeneratedValues implements ValueSource {
    private final Sizes sizes;
    private final Filling filling;
    private final SplittableRandom random;
    private final Buffers buffers = new Buffers();

    GeneratedValues(Sizes sizes, Filling filling, long seed) {
        this.sizes = sizes;
        this.filling = filling;
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
}
