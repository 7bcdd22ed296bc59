import * as kafka from "k6/x/kafka";

const writer = new kafka.Writer({ brokers: ["localhost:9092"], topic: "events", autoCreateTopic: true, batchBytes: 65536 });

export const options = { vus: 16, iterations: 500, noConnectionReuse: true };

export default function () {
  for (let i = 0; i < 10; i++) {
    writer.produce({ messages: [{ value: JSON.stringify({ id: i, note: "http://example/" }) }] });
  }
}
