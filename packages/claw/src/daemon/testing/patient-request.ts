import type { Frame, Joined } from "../../bus/testing/bus-harness.ts";
import { request as send } from "../../bus/testing/bus-harness.ts";
import { until } from "../../process/testing/until.ts";

/** Sends a request, and waits for its answer however long the servers take. */
export async function patientRequest({ client }: Pick<Joined, "client">, body: Frame): Promise<Frame> {
  const id = `asked-${crypto.randomUUID()}`;
  await send(client, { ...body, id });
  return until(`the answer to ${String(body["cmd"])}`, () =>
    client.frames.map((frame) => JSON.parse(frame) as Frame).find((frame) => frame["rid"] === id),
  );
}
