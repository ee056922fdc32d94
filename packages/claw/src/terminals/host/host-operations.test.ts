import { existsSync } from "node:fs";
import { join } from "node:path";
import { LIMITS } from "claw-contract";
import { expect, test } from "vitest";
import { OPERATIONS } from "./host-operations.ts";
import { open, startTestHost } from "../testing/start-test-host.ts";

const CAT = ["/bin/sh", "-c", "stty -echo; printf ready; exec cat"];

async function openCat() {
  const host = await startTestHost();
  const client = await host.connect();
  await open(client, "1", { argv: CAT });
  await client.ask("wait", { terminalId: "1", from: 4 });
  return { host, client };
}

test("a client reads a range, the end, and no more than one answer holds", async () => {
  const { client } = await openCat();
  const read = async (range: { offset?: number; limit?: number }): Promise<[string, unknown]> => {
    const { data, offset } = await client.ask("read", { terminalId: "1", ...range });
    return [Buffer.from(data, "base64").toString(), offset];
  };
  expect(await read({ offset: 1, limit: 2 })).toEqual(["ea", 1]);
  expect(await read({ limit: 2 })).toEqual(["dy", 3]);
  expect(await read({ offset: 0 })).toEqual(["ready", 0]);
  await expect(read({ offset: -1 })).rejects.toMatchObject({ message: "read: offset is invalid" });
  await expect(read({ limit: 1.5 })).rejects.toMatchObject({ message: "read: limit is invalid" });
  expect(await read({ offset: 0, limit: LIMITS.terminalReadBytes + 1 })).toEqual(["ready", 0]);
  expect(await client.ask("offset", { terminalId: "1" })).toMatchObject({ offset: 5 });
});

test("a client types bytes, text and lines, and waits for what comes of it", async () => {
  const { client } = await openCat();
  await client.ask("write", { terminalId: "1", data: Buffer.from("one\n").toString("base64") });
  expect(await client.ask("wait", { terminalId: "1", from: 5 })).toMatchObject({ offset: 10 });
  await client.ask("type", { terminalId: "1", text: "two" });
  await client.ask("type", { terminalId: "1", text: "", enter: true });
  expect(await client.ask("wait", { terminalId: "1", from: 14 })).toMatchObject({ offset: 15 });
});

test("waiting that is given up ends with the reason, and listens no more", async () => {
  const [gone, reason] = [new AbortController(), new Error("enough")];
  let listeners = 0;
  const watched = {
    find: () => ({ log: { total: () => 5 } }),
    require: () => undefined,
    onChange: () => {
      listeners += 1;
      return () => (listeners -= 1);
    },
  };
  const request = { terminalId: "1", from: 5 };
  const waiting = OPERATIONS.wait({ host: watched, request, signal: gone.signal } as never);
  expect(listeners).toBe(1);
  gone.abort(reason);
  await expect(waiting).rejects.toBe(reason);
  expect(listeners).toBe(0);
});

test("sizes are kept within what a terminal can have", async () => {
  const { client } = await openCat();
  const sizeOf = async (): Promise<unknown> => {
    const [terminal] = (await client.ask("list", {})).terminals;
    return [terminal?.cols, terminal?.rows];
  };
  await client.ask("resize", { terminalId: "1", cols: 0, rows: LIMITS.terminalSize + 1 });
  expect(await sizeOf()).toEqual([1, LIMITS.terminalSize]);
  const odd = client.ask("resize", { terminalId: "1", cols: 100, rows: "x" as unknown as number });
  await expect(odd).rejects.toMatchObject({ code: "TERMINAL_HOST_FAILED", message: "resize: rows is invalid" });
  expect(await sizeOf()).toEqual([1, LIMITS.terminalSize]);
});

test("a terminal is closed once, with a known origin, and waiting for it ends", async () => {
  const { client } = await openCat();
  await client.ask("follow", {});
  const waiting = client.ask("wait", { terminalId: "1", from: 5 }).catch((error: unknown) => error);
  const odd = client.ask("close", { terminalId: "1", origin: "nobody" as "user" });
  await expect(odd).rejects.toMatchObject({ message: "close: origin is invalid" });
  expect(await client.ask("close", { terminalId: "1", origin: "marker" })).toMatchObject({ closed: true });
  expect(await waiting).toMatchObject({ code: "TERMINAL_NOT_FOUND" });
  expect(await client.ask("close", { terminalId: "1", origin: "user" })).toMatchObject({ closed: false });
  expect(await client.ask("close", { terminalId: "9", origin: "user" })).toMatchObject({ closed: false });
  const closed = client.facts.find(({ kind }) => kind === "closed");
  expect(closed).toMatchObject({ origin: "marker" });
  expect(await client.ask("offset", { terminalId: "1" })).toMatchObject({ offset: 5 });
  await client.ask("settle", { terminalId: "1", number: closed?.number ?? 0 });
  await expect(client.ask("offset", { terminalId: "1" })).rejects.toMatchObject({ code: "TERMINAL_NOT_FOUND" });
  await expect(client.ask("dance" as "list", {})).rejects.toMatchObject({ code: "TERMINAL_HOST_FAILED" });
});

test("a host without terminals and clients ends after its time, and leaves neither record nor socket", async () => {
  const host = await startTestHost({ idleMs: 1 });
  await host.ended;
  expect(["terminals.json", "terminals.sock"].filter((name) => existsSync(join(host.folder, name)))).toEqual([]);
});
