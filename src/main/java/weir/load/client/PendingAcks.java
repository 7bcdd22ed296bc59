package weir.load.client;

import java.util.Arrays;
import weir.measure.Count;

/**
 * The acknowledgements of one reader that the broker has not confirmed yet, by partition and offset. A table without
 * objects, because each record has an acknowledgement.
 */
final class PendingAcks {
    private static final int FREE = -1;

    private int[] partitions = free(1 << 10);
    private long[] offsets = new long[partitions.length];
    private int[] producers = new int[partitions.length];
    private long[] sequences = new long[partitions.length];
    private Count[] kinds = new Count[partitions.length];
    int size;

    interface Taker {
        void take(Count kind, int producer, long sequence);
    }

    private static int[] free(int slots) {
        int[] free = new int[slots];
        Arrays.fill(free, FREE);
        return free;
    }

    /** Adds an acknowledgement; a later one of the same record replaces it. */
    void add(int partition, long offset, Count kind, int producer, long sequence) {
        if (2 * size >= partitions.length) {
            grow();
        }
        int slot = find(partition, offset);
        size += partitions[slot] == FREE ? 1 : 0;
        set(slot, partition, offset, kind, producer, sequence);
    }

    /** Removes an acknowledgement and passes it on; nothing for a record that another program wrote. */
    void remove(int partition, long offset, Taker into) {
        int slot = find(partition, offset);
        if (partitions[slot] != FREE) {
            into.take(kinds[slot], producers[slot], sequences[slot]);
            size--;
            close(slot);
        }
    }

    /** Moves later entries of the same chain into a free slot, so that searches may end at the first free slot. */
    private void close(int gap) {
        int mask = partitions.length - 1;
        int free = gap;
        partitions[free] = FREE;
        for (int slot = free + 1 & mask; partitions[slot] != FREE; slot = slot + 1 & mask) {
            int home = home(partitions[slot], offsets[slot]);
            if ((slot - home & mask) >= (slot - free & mask)) {
                set(free, partitions[slot], offsets[slot], kinds[slot], producers[slot], sequences[slot]);
                partitions[slot] = FREE;
                free = slot;
            }
        }
    }

    private int find(int partition, long offset) {
        int mask = partitions.length - 1;
        int slot = home(partition, offset);
        while (partitions[slot] != FREE && (partitions[slot] != partition || offsets[slot] != offset)) {
            slot = slot + 1 & mask;
        }
        return slot;
    }

    private int home(int partition, long offset) {
        long mixed = (offset + 31L * partition) * 0x9E3779B97F4A7C15L;
        return (int) (mixed >>> 32) & partitions.length - 1;
    }

    private void set(int slot, int partition, long offset, Count kind, int producer, long sequence) {
        partitions[slot] = partition;
        offsets[slot] = offset;
        kinds[slot] = kind;
        producers[slot] = producer;
        sequences[slot] = sequence;
    }

    private void grow() {
        int[] oldPartitions = partitions;
        long[] oldOffsets = offsets;
        Count[] oldKinds = kinds;
        int[] oldProducers = producers;
        long[] oldSequences = sequences;
        partitions = free(2 * oldPartitions.length);
        offsets = new long[partitions.length];
        kinds = new Count[partitions.length];
        producers = new int[partitions.length];
        sequences = new long[partitions.length];
        for (int old = 0; old < oldPartitions.length; old++) {
            if (oldPartitions[old] != FREE) {
                int slot = find(oldPartitions[old], oldOffsets[old]);
                set(slot, oldPartitions[old], oldOffsets[old], oldKinds[old], oldProducers[old], oldSequences[old]);
            }
        }
    }
}
