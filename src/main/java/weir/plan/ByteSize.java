package weir.plan;

public record ByteSize(long bytes) {
    public ByteSize {
        if (bytes < 0) {
            throw new IllegalArgumentException("a size must be at least 0 bytes, found " + bytes);
        }
    }
}
