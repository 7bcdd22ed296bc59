package weir.cli.doctor;

import weir.probe.Finding;

/** A finding, the rule that it was judged by, where that comes from, and what following it would gain. */
record Advice(Finding finding, String rule, AdviceSource source, String gain) {
    /** The same with the place that it is about. */
    Advice at(String place) {
        return new Advice(
                new Finding(
                        finding.name(),
                        finding.figure(),
                        finding.verdict(),
                        finding.meaning() + " (" + place + ")",
                        finding.advice()),
                rule,
                source,
                gain);
    }
}
