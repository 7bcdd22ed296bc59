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
public sealed interface ValueSpec {
    /** Bytes in a value on average, as far as the plan alone can tell: 1 KiB for those of a file. */
    default double meanBytes() {
        return 1024;
    }

    /** The same, for the values of a file that of those at its beginning. */
    default double sampledBytes() {
        return meanBytes();
    }

    /** Values made here. */
    record Generated(Size size, Content content) implements ValueSpec {
        @Override
        public double meanBytes() {
            return size.meanBytes();
        }
    }

    /** Values read from a file, relative to the experiment. */
    record FromFile(Path file, Each each, Pick pick) implements ValueSpec {
        private static final int SAMPLE = 1 << 20;

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

    /** The part of the file that becomes one value. */
    sealed interface Each {
        /** A line that is not empty. */
        record Line() implements Each {}

        /** All of it. */
        record Whole() implements Each {}

        /** The text between two matches of a regular expression. */
        record Delimited(String delimiter) implements Each {}
    }

    /** Which piece of the file comes next. */
    enum Pick {
        IN_ORDER,
        RANDOM
    }

    /** Bytes in one value. */
    sealed interface Size {
        double meanBytes();

        record Fixed(ByteSize size) implements Size {
            @Override
            public double meanBytes() {
                return size.bytes();
            }
        }

        /** Drawn evenly between two bounds, both included. */
        record Between(ByteSize min, ByteSize max) implements Size {
            @Override
            public double meanBytes() {
                return (min.bytes() + max.bytes()) / 2.0;
            }
        }

        /** Drawn from a list of sizes; the shares add up to one. */
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

    /** One size of a mix and how often it comes. */
    record Portion(ByteSize size, Ratio share) {}

    /** The filling of a generated value behind its identity. */
    sealed interface Content {
        /** True when what is written decides how long it is. */
        default boolean ownSize() {
            return this instanceof Sequence || this instanceof Planes;
        }

        /** Bytes that do not compress, fresh for every record. */
        record Random() implements Content {}

        /** Letters A–Z, fresh for every record. */
        record Letters() implements Content {}

        /** The same bytes in every record. */
        record Same() implements Content {}

        /** The sequence number as text. */
        record Sequence() implements Content {}

        /** Lines of flying planes as comma-separated values. */
        record Planes() implements Content {}

        /** So much of it random, the rest compressible. */
        record PartlyRandom(Ratio random) implements Content {}
    }
}
