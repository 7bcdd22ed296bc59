package weir.load.message;

import java.util.List;
import java.util.SplittableRandom;
import weir.plan.ValueSpec.Portion;
import weir.plan.ValueSpec.Size;

/** The length of each next value. */
interface Sizes {
    int next(SplittableRandom random);

    static Sizes of(Size size) {
        if (size instanceof Size.Fixed fixed) {
            int bytes = Math.toIntExact(fixed.size().bytes());
            return random -> bytes;
        }
        if (size instanceof Size.Between between) {
            int min = Math.toIntExact(between.min().bytes());
            int max = Math.toIntExact(between.max().bytes());
            return random -> min + random.nextInt(max - min + 1);
        }
        List<Portion> portions = ((Size.Mixed) size).portions();
        int last = portions.size() - 1;
        int[] bytes = new int[last + 1];
        double[] upTo = new double[last + 1];
        double sum = 0;
        for (int i = 0; i <= last; i++) {
            bytes[i] = Math.toIntExact(portions.get(i).size().bytes());
            sum += portions.get(i).share().share();
            upTo[i] = sum;
        }
        return random -> {
            double drawn = random.nextDouble();
            int i = 0;
            while (i < last && drawn >= upTo[i]) {
                i++;
            }
            return bytes[i];
        };
    }

    /** Bytes of the smallest value. */
    static long least(Size size) {
        if (size instanceof Size.Fixed fixed) {
            return fixed.size().bytes();
        }
        if (size instanceof Size.Between between) {
            return between.min().bytes();
        }
        return ((Size.Mixed) size)
                .portions().stream()
                        .mapToLong(portion -> portion.size().bytes())
                        .min()
                        .orElseThrow();
    }
}
