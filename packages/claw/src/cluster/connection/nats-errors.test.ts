import { JetStreamApiError } from "@nats-io/jetstream";
import { expect, test } from "vitest";
import { natsError } from "./nats-errors.ts";

const answer = (code: number, err_code: number, description: string): Error =>
  new JetStreamApiError({ code, err_code, description });

test.each([answer(503, 10_008, "JetStream system temporarily unavailable"), answer(400, 10_005, "no suitable peers")])(
  "servers without a leader, or too few of them, cannot answer for now: %s",
  (error) => {
    const away = { code: "NATS_UNREACHABLE", retryable: true, options: { retryAfterMs: 1000 } };
    expect(natsError("open_log", "claw_test", error)).toMatchObject(away);
  },
);

test("any other refusal of JetStream is final", () => {
  const refused = natsError("open_log", "claw_test", answer(400, 10_003, "bad request"));
  expect(refused).toMatchObject({ code: "NATS_REFUSED", retryable: false });
});
