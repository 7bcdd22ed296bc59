package weir.load.send;

import java.util.Arrays;

/** Due times in order, taken from the front. */
final class DueQueue {
    private long[] ring = new long[1024];
    private int head;
    private int size;

    int size() {
        return size;
    }

    boolean isEmpty() {
        return size == 0;
    }

    long get(int index) {
        return ring[(head + index) & (ring.length - 1)];
    }

    long last() {
        return get(size - 1);
    }

    void add(long due, int times) {
        while (size + times > ring.length) {
            long[] wider = Arrays.copyOf(Arrays.copyOfRange(ring, head, ring.length), 2 * ring.length);
            System.arraycopy(ring, 0, wider, ring.length - head, head);
            ring = wider;
            head = 0;
        }
        for (int i = 0; i < times; i++) {
            ring[(head + size++) & (ring.length - 1)] = due;
        }
    }

    void remove(int count) {
        head = (head + count) & (ring.length - 1);
        size -= count;
    }

    void clear() {
        size = 0;
    }

    long[] toArray() {
        long[] all = new long[size];
        Arrays.setAll(all, this::get);
        return all;
    }
}
