package weir.plan;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;

/** The source of message values. */
public interface ValueSpec {
    /** The mean bytes of a value, without reading files; 1 KiB for values of a file. */
    default double meanBytes() {
        return 1024;
    }

    /** The mean bytes of a value; for values of a file, the mean of the first values. */
    default double sampledBytes() {
        return meanBytes();
    }

    /** The files that a worker reads. */
    default List<Path> files() {
        return List.of();
    }

    /** True if a serializer makes the values when their records are sent. */
    default boolean serialized() {
        return false;
    }

    record Generated(Size size, Content content) implements ValueSpec {
        @Override
        public double meanBytes() {
            return size.meanBytes();
        }
    }

    /** Values read from a file, whose path is relative to the experiment. */
    record FromFile(Path file, Each each, Pick pick) implements ValueSpec {
        private static final int SAMPLE = 1 << 20;

        @Override
        public List<Path> files() {
            return List.of(file);
        }

        @Override
        public double sampledBytes() {
            if (!Files.isRegularFile(file)) {
                return meanBytes();
            }
            try (InputStream in = Files.newInputStream(file)) {
                byte[] beginning = in.readNBytes(SAMPLE);
                if (each instanceof Each.Whole) {
                    return Files.size(file);
                }
                long values = Pattern.compile(each instanceof Each.Delimited d ? d.delimiter() : "\n")
                        .matcher(new String(beginning, StandardCharsets.UTF_8))
                        .results()
                        .count();
                return beginning.length / Math.max(1.0, (double) values);
            } catch (IOException e) {
                throw new UncheckedIOException("estimating the values of " + file, e);
            }
        }
    }

    sealed interface Each {
        /** Each line that is not empty is a value. */
        record Line() implements Each {}

        record Whole() implements Each {}

        /** Each text between two matches of a regular expression is a value. */
        record Delimited(String delimiter) implements Each {}
    }

    enum Pick {
        IN_ORDER,
        RANDOM
    }

    sealed interface Size {
        double meanBytes();

        record Fixed(ByteSize size) implements Size {
            @Override
            public double meanBytes() {
                return size.bytes();
            }
        }

        /** A uniform distribution between two limits, both included. */
        record Between(ByteSize min, ByteSize max) implements Size {
            @Override
            public double meanBytes() {
                return (min.bytes() + max.bytes()) / 2.0;
            }
        }

        /** A distribution over listed sizes, with a sum of shares of one. */
        record Mixed(List<Portion> portions) implements Size {
            public Mixed {
                portions = List.copyOf(portions);
            }

            @Override
            public double meanBytes() {
                return portions.stream()
                        .mapToDouble(p -> p.size().bytes() * p.share().share())
                        .sum();
            }
        }
    }

    record Portion(ByteSize size, Ratio share) {}

    sealed interface Content {
        /** True if the content determines the size of the value. */
        default boolean ownSize() {
            return this instanceof Sequence || this instanceof Planes;
        }

        record Random() implements Content {}

        /** Letters A–Z, new for every record. */
        record Letters() implements Content {}

        record Same() implements Content {}

        record Sequence() implements Content {}

        /** Position reports of airplanes as comma-separated lines. */
        record Planes() implements Content {}

        /** Random content in a share of the bytes. The rest can be compressed. */
        record PartlyRandom(Ratio random) implements Content {}
    }
}
