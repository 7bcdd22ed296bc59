package weir.load.workload;

import java.util.SplittableRandom;
import weir.plan.ValueSpec;

/** The length of each next value. */
interface Sizes {
    int next(SplittableRandom random);

    static Sizes of(ValueSpec.Size size) {
        if (size instanceof ValueSpec.Size.Fixed fixed) {
            int bytes = Math.toIntExact(fixed.size().bytes());
            return random -> bytes;
        }
        if (size instanceof ValueSpec.Size.Between between) {
            int min = Math.toIntExact(between.min().bytes());
            int max = Math.toIntExact(between.max().bytes());
            return random -> min + random.nextInt(max - min + 1);
        }
        if (size instanceof ValueSpec.Size.Mixed mixed) {
            return mixed(mixed);
        }
        throw new AssertionError(size);
    }

    /** Bytes of a value on average. */
    static double mean(ValueSpec.Size size) {
        if (size instanceof ValueSpec.Size.Fixed fixed) {
            return fixed.size().bytes();
        }
        if (size instanceof ValueSpec.Size.Between between) {
            return (between.min().bytes() + between.max().bytes()) / 2.0;
        }
        if (size instanceof ValueSpec.Size.Mixed mixed) {
            return mixed.portions().stream()
                    .mapToDouble(
                            portion -> portion.size().bytes() * portion.share().share())
                    .sum();
        }
        throw new AssertionError(size);
    }

    /** Bytes of the smallest value. */
    static long least(ValueSpec.Size size) {
        if (size instanceof ValueSpec.Size.Fixed fixed) {
            return fixed.size().bytes();
        }
        if (size instanceof ValueSpec.Size.Between between) {
            return between.min().bytes();
        }
        if (size instanceof ValueSpec.Size.Mixed mixed) {
            return mixed.portions().stream()
                    .mapToLong(portion -> portion.size().bytes())
                    .min()
                    .orElseThrow();
        }
        throw new AssertionError(size);
    }

    private static Sizes mixed(ValueSpec.Size.Mixed mixed) {
        int count = mixed.portions().size();
        int[] bytes = new int[count];
        double[] upTo = new double[count];
        double sum = 0;
        for (int i = 0; i < count; i++) {
            ValueSpec.Portion portion = mixed.portions().get(i);
            bytes[i] = Math.toIntExact(portion.size().bytes());
            sum += portion.share().share();
            upTo[i] = sum;
        }
        return random -> {
            double drawn = random.nextDouble();
            int i = 0;
            while (i < count - 1 && drawn >= upTo[i]) {
                i++;
            }
            return bytes[i];
        };
    }
}
