package weir.load.workload;

import java.util.SplittableRandom;
import weir.load.message.ValueSource;

/** Values from a file: in order, dealt out to the producers in turn, or drawn. */
final class PickedValues implements ValueSource {
    private final FileValues file;
    private final Picking picking;
    private final Buffers buffers = new Buffers();

    private interface Picking {
        long piece(long sequence);
    }

    private PickedValues(FileValues file, Picking picking) {
        this.file = file;
        this.picking = picking;
    }

    /** The file over and over again, shared out among the producers. */
    static PickedValues inOrder(FileValues file, int producer, int producers) {
        return new PickedValues(file, sequence -> (sequence * producers + producer) % file.pieces());
    }

    static PickedValues drawn(FileValues file, long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        return new PickedValues(file, sequence -> random.nextLong(file.pieces()));
    }

    @Override
    public byte[] next(long sequence) {
        return file.piece(picking.piece(sequence), buffers);
    }

    @Override
    public boolean generated() {
        return false;
    }
}
