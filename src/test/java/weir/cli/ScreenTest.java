package weir.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ScreenTest {
    private final StringWriter written = new StringWriter();

    private Screen screen(int columns, boolean coloured) {
        return new Screen(new PrintWriter(written), () -> columns, coloured);
    }

    @Test
    void whatStaysIsWrittenAboveWhatChanges() {
        try (Screen screen = screen(40, false)) {
            screen.show(List.of("one", "two"));
            screen.keep(Lines.Tone.PLAIN, "stays");
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
        screen(80, false).keep(Lines.Tone.PLAIN, "a\u001b[2Jb\rc\u0007");
        assertThat(written).hasToString("a·[2Jb·c·\n");
    }

    @Test
    void colourIsLeftOutWhenTheReaderSaysSo() {
        assertThat(Screen.coloured(Map.of("NO_COLOR", "1"))).isFalse();
        assertThat(Screen.coloured(Map.of("NO_COLOR", ""))).isTrue();
        screen(80, false).keep(Lines.Tone.BAD, "lost");
        assertThat(written).hasToString("lost\n");
        screen(80, true).keep(Lines.Tone.BAD, "lost");
        assertThat(written.toString()).endsWith("\u001b[31mlost\u001b[0m\n");
    }
}
