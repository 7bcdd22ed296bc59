package weir.cli;

import picocli.CommandLine.Mixin;

/** A command of weir that prints a text for people or JSON for programs. */
public abstract class FormattedCommand extends CliCommand {
    @Mixin
    protected FormatOption format = new FormatOption();
}
