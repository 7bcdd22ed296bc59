package weir.plan;

import java.nio.file.Path;
import java.util.List;

/** The source of message values. */
public sealed interface ValueSpec {
    /** Bytes in a value on average, as far as the plan alone can tell: 1 KiB for those of a file. */
    default double meanBytes() {
        return this instanceof Generated g ? g.size().meanBytes() : 1024;
    }

    /** Values made here. */
    record Generated(Size size, Content content) implements ValueSpec {}

    /** Values read from a file, relative to the experiment. */
    record FromFile(Path file, Each each, Pick pick) implements ValueSpec {}

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
        default double meanBytes() {
            if (this instanceof Fixed f) {
                return f.size().bytes();
            }
            if (this instanceof Between b) {
                return (b.min().bytes() + b.max().bytes()) / 2.0;
            }
            if (this instanceof Mixed m) {
                return m.portions().stream()
                        .mapToDouble(p -> p.size().bytes() * p.share().share())
                        .sum();
            }
            throw new AssertionError(this);
        }

        record Fixed(ByteSize size) implements Size {}

        /** Drawn evenly between two bounds, both included. */
        record Between(ByteSize min, ByteSize max) implements Size {}

        /** Drawn from a list of sizes; the shares add up to one. */
        record Mixed(List<Portion> portions) implements Size {
            public Mixed {
                portions = List.copyOf(portions);
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
