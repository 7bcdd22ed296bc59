package weir.load.send;

import weir.load.message.Identity;
import weir.load.message.Message;

/**
 * The maker of the messages of one sender's operations: those of an operation have key and value in common, and an
 * identity each. A stream makes them of what it read, in capitals.
 */
final class MessageMaker {
    private final Outbox.Surroundings around;
    private final Operations.Contents contents;
    private final OperationForm form;
    private final Message message = new Message();
    private long operation;

    MessageMaker(Outbox.Surroundings around, Operations.Contents contents, OperationForm form) {
        this.around = around;
        this.contents = contents;
        this.form = form;
    }

    /** The next messages are those of the operation of this number. */
    void make(long number) {
        operation = number;
        message.value = contents.values().next(number);
        message.key = contents.keys().next(number, message.value);
        message.header = !contents.values().generated() || message.value.length < Identity.SMALLEST_VALUE;
    }

    /** The next message is made of what a source reads. */
    void take(Operator.Source source) {
        operation = source.offset();
        message.key = source.key();
        message.value = source.value();
        boolean room = message.value.length >= Identity.SMALLEST_VALUE && !source.headed();
        message.header = !room || Identity.runTag(message.value) != around.runTag();
        for (int i = message.header ? 0 : Identity.BYTES; i < message.value.length; i++) {
            byte letter = message.value[i];
            if (letter >= 'a' && letter <= 'z') {
                message.value[i] = (byte) (letter - 'a' + 'A');
            }
        }
    }

    /** One message of an operation. */
    Message message(Operation of, int number) {
        long turn = form.messages() > 1 ? number : (operation + around.producer()) % form.topics();
        message.topic = form.firstTopic() + (int) turn;
        message.step = of.step;
        message.dueNanos = of.dueNanos;
        message.sequence = of.first + number;
        Identity.write(
                message.header ? message.identity : message.value,
                around.runTag(),
                around.producer(),
                message.sequence,
                message.dueNanos);
        return message;
    }
}
