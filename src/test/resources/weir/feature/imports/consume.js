import { Reader } from "k6/x/kafka";
/* reads only */
const config = {
  brokers: ["localhost:9092"],
  topic: __ENV.TOPIC || "events",
  minBytes: 1024,
  partition: 0,
  connectLogger: true,
}
const reader = new Reader(config);
export const options = { duration: "20s" };
export default function () {
  const messages = reader.consume({ limit: 10 });
}
