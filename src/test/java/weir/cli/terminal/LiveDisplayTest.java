package weir.cli.terminal;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class LiveDisplayTest {
    private final StringWriter written = new StringWriter();

    private LiveDisplay screen(int columns, boolean coloured) {
        return new LiveDisplay(new PrintWriter(written), () -> columns, coloured);
    }

    @Test
    void whatStaysIsWrittenAboveWhatChanges() {
        try (LiveDisplay screen = screen(40, false)) {
            screen.show(List.of("one", "two"));
            screen.keep(LineOutput.Tone.PLAIN, "stays");
        }
        assertThat(written).hasToString("one\ntwo\n\u001b[2A\u001b[Jstays\none\ntwo\n\u001b[2A\u001b[J");
    }

    @Test
    void aLineTooLongForTheWindowIsCutBecauseItWouldWrap() {
        screen(8, false).show(List.of("0123456789"));
        assertThat(written).hasToString("012345…\n");
    }

    @Test
    void textFromOutsideCannotSteerTheTerminal() {
        screen(80, false).keep(LineOutput.Tone.PLAIN, "a\u001b[2Jb\rc\u0007");
        assertThat(written).hasToString("a·[2Jb·c·\n");
    }

    @Test
    void colourIsLeftOutWhenTheReaderSaysSo() {
        assertThat(LiveDisplay.coloured(Map.of("NO_COLOR", "1"))).isFalse();
        assertThat(LiveDisplay.coloured(Map.of("NO_COLOR", ""))).isTrue();
        screen(80, false).keep(LineOutput.Tone.BAD, "lost");
        assertThat(written).hasToString("lost\n");
        screen(80, true).keep(LineOutput.Tone.BAD, "lost");
        assertThat(written.toString()).endsWith("\u001b[31mlost\u001b[0m\n");
    }
}
