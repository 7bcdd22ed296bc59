import { Writer, Reader, Connection, SchemaRegistry, CODEC_LZ4, SCHEMA_TYPE_STRING } from "k6/x/kafka";

const brokers = (__ENV.BROKERS || "localhost:9092").split(","); // computed
const topic = "payments";
const servers = ["kafka-1.example:9092", 'kafka-2.example:9092'];

const writer = new Writer({
  brokers: servers,
  topic,
  compression: CODEC_LZ4,
  requiredAcks: -1,
  batchTimeout: 5_000_000,
  batchSize: 100,
  sasl: { username: "load", password: "secret-of-load", algorithm: "plain" },
});
const reader = new Reader({ brokers, groupID: "payments-test", groupTopics: [topic], maxWait: "500ms", speed: 3 });
const registry = new SchemaRegistry();

if (__VU == 0) {
  new Connection({ address: servers[0] }).createTopic({ topic: topic, numPartitions: 12, replicationFactor: 3 });
}

export const options = {
  scenarios: {
    steady: {
      executor: "constant-arrival-rate",
      rate: 300,
      timeUnit: "1m",
      duration: "1m30s",
      preAllocatedVUs: 20,
    },
    spike: { executor: "ramping-arrival-rate", stages: [{ target: 10, duration: "10s" }] },
  },
  thresholds: { kafka_writer_error_count: ["count == 0"] },
};

export default function () {
  writer.produce({
    messages: [
      {
        key: registry.serialize({ data: `order-${__ITER}`, schemaType: SCHEMA_TYPE_STRING }),
        value: registry.serialize({ data: "a value of 27 bytes, always", schemaType: SCHEMA_TYPE_STRING }),
        headers: { source: "k6" },
      },
      { value: registry.serialize({ data: "another", schemaType: SCHEMA_TYPE_STRING }) },
    ],
  });
  reader.consume({ limit: 2 });
}
