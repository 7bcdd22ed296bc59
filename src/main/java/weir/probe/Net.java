package weir.probe;

import java.io.IOException;
import java.util.List;
import weir.host.kernel.KernelFiles;

/** The traffic of a network interface, and how often TCP had to send something twice (on the whole host). */
record Net(KernelFiles files, String nic) implements Probe {
    @Override
    public void look(Readings into) {
        into.family("net." + nic + ".*", () -> {
            String[] words = line();
            into.rate("net." + nic + ".received.mib.per.s", KernelFiles.number(words[0]) / KernelFiles.MIB);
            into.rate("net." + nic + ".sent.mib.per.s", KernelFiles.number(words[8]) / KernelFiles.MIB);
            into.count("net." + nic + ".dropped", KernelFiles.number(words[3]) + KernelFiles.number(words[11]));
        });
        into.family("tcp.retransmits", () -> into.count("tcp.retransmits", retransmits()));
    }

    private String[] line() throws IOException {
        for (String line : files.lines("/proc/net/dev")) {
            // "lo:3193 …": a long number leaves no blank after the colon.
            int colon = line.indexOf(':');
            if (colon > 0 && line.substring(0, colon).strip().equals(nic)) {
                return KernelFiles.words(line.substring(colon + 1));
            }
        }
        throw new IOException("/proc/net/dev has no interface '" + nic + "'");
    }

    /** Two lines start with "Tcp:": the names, then the values. */
    private double retransmits() throws IOException {
        List<String> tcp = files.lines("/proc/net/snmp").stream()
                .filter(line -> line.startsWith("Tcp:"))
                .toList();
        if (tcp.size() == 2) {
            int column = List.of(KernelFiles.words(tcp.get(0))).indexOf("RetransSegs");
            String[] values = KernelFiles.words(tcp.get(1));
            if (column > 0 && column < values.length) {
                return KernelFiles.number(values[column]);
            }
        }
        throw new IOException("/proc/net/snmp does not count 'RetransSegs'");
    }
}
