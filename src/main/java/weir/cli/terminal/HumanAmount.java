package weir.cli.terminal;

import java.time.Duration;
import java.util.Locale;

/** Amounts formatted for people. */
public final class HumanAmount {
    private static final String[] UNITS = {"KiB", "MiB", "GiB", "TiB", "PiB"};

    private HumanAmount() {}

    public static String bytes(long bytes) {
        if (bytes < 1024) {
            return bytes + " B";
        }
        double amount = bytes;
        int unit = -1;
        while (amount >= 1024 && unit < UNITS.length - 1) {
            amount /= 1024;
            unit++;
        }
        return String.format(Locale.ROOT, amount < 10 ? "%.1f %s" : "%.0f %s", amount, UNITS[unit]);
    }

    public static String time(Duration time) {
        long seconds = Math.round(time.toMillis() / 1e3);
        if (seconds < 60) {
            return seconds + " s";
        }
        if (seconds < 3600) {
            return seconds / 60 + " min" + (seconds % 60 == 0 ? "" : " " + seconds % 60 + " s");
        }
        return seconds / 3600 + " h" + (seconds / 60 % 60 == 0 ? "" : " " + seconds / 60 % 60 + " min");
    }

    public static String count(long number, String thing) {
        return String.format(Locale.ROOT, "%,d %s%s", number, thing, number == 1 ? "" : "s");
    }
}
