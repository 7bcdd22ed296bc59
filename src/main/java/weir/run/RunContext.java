package weir.run;

import weir.plan.Experiment;
import weir.plan.property.ResolvedSecrets;
import weir.results.RunFolder;
import weir.run.lab.Lab;

/** The parts of a run that all trials share. */
record RunContext(
        Experiment experiment,
        RunOptions options,
        RunFolder folder,
        Lab lab,
        RunListeners listeners,
        ResolvedSecrets secrets) {}
