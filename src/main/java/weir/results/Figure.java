package weir.results;

/** A number in a CSV cell: at most six digits behind the point, empty when there is none. */
final class Figure {
    private Figure() {}

    static StringBuilder append(StringBuilder line, double value) {
        if (Double.isNaN(value)) {
            return line;
        }
        if (value == Math.rint(value) && Math.abs(value) < 1e15) {
            return line.append((long) value);
        }
        double rounded = Math.rint(value * 1e6) / 1e6;
        return line.append(Math.abs(value) < 1e9 ? rounded : value);
    }

    static double of(String cell) {
        return cell.isEmpty() ? Double.NaN : Double.parseDouble(cell);
    }
}
