import { expect, test } from "vitest";
import type { PublishOptions } from "./prepare-publish.ts";
import { loadEventSchemas, preparePublish } from "./prepare-publish.ts";

const prepare = async (topic: string, data: unknown, options: PublishOptions = {}) =>
  preparePublish({ topic, data, options, fromName: "me", publishedAt: 0 }, await loadEventSchemas());

const payloadOf = (command: string): Record<string, unknown> =>
  (JSON.parse(`{${command}}`) as { payload: Record<string, unknown> }).payload;

test("the peer's own id stands in topic and envelope, and the payload last and always the same", async () => {
  const event = await prepare("worker.{self}.event", { kind: "LOG", severity: "info", message: "hm" });
  const command = event.command("p_1", false);
  expect(command).toMatch(/^"cmd":"publish","topic":"worker\.p_1\.event","payload":\{"from_peer":"p_1",/);
  expect(event.command("p_1", false)).toBe(command);
  expect(event.command("p_1", true)).toContain('"echo":true');
  expect(payloadOf(command)).toMatchObject({ from_peer: "p_1", schema: "worker-event-v1", id: event.id });
});

test("a topic without a schema takes any data, under the schema it is given", async () => {
  const event = await prepare("note.text", [1, 2], { schema: "note-text-v1", id: "any" });
  expect(payloadOf(event.command("p_1", false))).toMatchObject({ data: [1, 2], schema: "note-text-v1", id: "any" });
});

test("size is counted in bytes, not in characters", async () => {
  await expect(prepare("note.text", "🐾".repeat(200_000))).resolves.toBeDefined();
  await expect(prepare("note.text", "🐾".repeat(270_000))).rejects.toMatchObject({ code: "REQUEST_TOO_LARGE" });
});
