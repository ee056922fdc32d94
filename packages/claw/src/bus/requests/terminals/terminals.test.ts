import { LIMITS } from "claw-contract";
import { describe, expect, test } from "vitest";
import type { BusHarness, Frame } from "../../testing/bus-harness.ts";
import { join, request, settle, startBus, told, watch } from "../../testing/bus-harness.ts";
import type { MemoryClient } from "../../transports/memory.ts";

interface Scene {
  readonly harness: BusHarness;
  readonly client: MemoryClient;
}

/** A client that never says hello, as those of the first version do. */
async function begin(policy: "strict" | "compat" = "strict"): Promise<Scene> {
  const harness = await startBus({ policy });
  return { harness, client: harness.transport.connect() };
}

/** Commands name a terminal by `id`, which is their own number too. */
async function about(client: MemoryClient, id: unknown, body: Frame): Promise<Frame> {
  const before = client.frames.length;
  client.send(JSON.stringify({ ...body, id }));
  await settle();
  return JSON.parse(client.frames.slice(before).at(-1) ?? "{}") as Frame;
}

const listed = async ({ client }: Scene): Promise<Frame[]> =>
  (await request(client, { cmd: "list" }))["terminals"] as Frame[];

describe("create", () => {
  test("takes what makes sense of a request, and nothing that would reach other terminals", async () => {
    const scene = await begin();
    const odd = {
      name: "a\u001b[31m\u0007b",
      cols: 1e9,
      rows: -3,
      env: { GOOD: "1", "B=D": "2", NUMBER: 3 },
      argv: [],
    };
    expect(await request(scene.client, { cmd: "create", ...odd })).toMatchObject({ ok: true, id: "1", wrapped: true });
    expect(await request(scene.client, { cmd: "create", name: 7 })).toMatchObject({ id: "2", logPath: null });
    expect(await listed(scene)).toMatchObject([
      { id: "1", name: "a[31mb", cols: 80, rows: 24, ptyMode: "pty", status: "adopted", waveId: null },
      { id: "2", name: "Claws 2" },
    ]);
  });

  test("needs a mission where older clients are served, and no number is used up by a refusal", async () => {
    const { client } = await begin("compat");
    expect(await request(client, { cmd: "create" })).toMatchObject({ ok: false, error: "lifecycle:plan-required" });
    const plan = { cmd: "lifecycle.plan", plan: "x", workerMode: "single", expectedWorkers: 1 };
    expect(await request(client, plan)).toMatchObject({ ok: true });
    expect(await request(client, { cmd: "create" })).toMatchObject({ ok: true, id: "1" });
  });
});

test.each(["show", "send", "readLog", "terminal.screen", "close"])(
  "%s names a terminal apart from the request",
  async (cmd) => {
    const { client } = await begin();
    await request(client, { cmd: "create" });
    expect(await about(client, 77, { cmd, terminalId: "1" })).toMatchObject({ ok: true, rid: 77 });
  },
);

describe("a terminal of a wave", () => {
  const WAVE = { cmd: "wave.create", waveId: "W1", manifest: ["lead", "tester"] };

  test("is shown with its wave, and is closed with it, but for the lead's", async () => {
    const { harness, client } = await begin();
    await request(client, WAVE);
    for (const waveRole of ["lead", "tester", undefined]) {
      await request(client, { cmd: "create", waveId: "W1", ...(waveRole === undefined ? {} : { waveRole }) });
    }
    await request(client, { cmd: "create", waveId: "W2", waveRole: "tester" });
    const shown = await request(client, { cmd: "wave.status", waveId: "W1" });
    expect(shown).toMatchObject({
      leadTerminalId: "1",
      subWorkerTerminals: ["2", "3"],
      subWorkers: [
        { role: "lead", terminalId: "1" },
        { role: "tester", terminalId: "2", peerId: null },
      ],
    });
    expect((await listed({ harness, client })).map(({ id, waveId, waveRole }) => [id, waveId, waveRole])).toEqual([
      ["1", "W1", "lead"],
      ["2", "W1", "tester"],
      ["3", "W1", null],
      ["4", "W2", "tester"],
    ]);
    const restarted = await harness.restart();
    const later = restarted.transport.connect();
    expect(await request(later, { cmd: "wave.status", waveId: "W1" })).toMatchObject({
      subWorkerTerminals: ["2", "3"],
    });
    expect(await request(later, { cmd: "wave.complete", waveId: "W1", summary: "done" })).toMatchObject({
      harvested: 2,
    });
    expect(restarted.terminals.open()).toEqual(["1", "4"]);
  });

  test("belongs to the wave of whoever opens it before one that is named, and to none whose name is none", async () => {
    const harness = await startBus();
    const lead = await join(harness, "orchestrator", { waveId: "mine", subWorkerRole: "lead" });
    await request(lead.client, { cmd: "create", waveId: "other", waveRole: "tester" });
    const client = harness.transport.connect();
    for (const waveId of ["a.b", "*", "", 7, "x".repeat(100_000)]) await request(client, { cmd: "create", waveId });
    const terminals = await listed({ harness, client });
    expect(terminals.map(({ waveId }) => waveId)).toEqual(["mine", null, null, null, null, null]);
    expect(terminals[0]).toMatchObject({ waveRole: "tester" });
  });
});

describe("send", () => {
  test("types a text with Enter, without it, or as a paste that cannot end itself", async () => {
    const { harness, client } = await begin();
    await request(client, { cmd: "create" });
    expect(await about(client, "1", { cmd: "send", text: "a\nb", paste: true })).toMatchObject({ mode: "wrapped" });
    await about(client, 1, { cmd: "send", text: 7 });
    await about(client, "1", { cmd: "send", text: "x", newline: false });
    await about(client, "1", { cmd: "send", text: "y\u001b[201~\u009b201~z", newline: false, paste: true });
    await about(client, "1", { cmd: "send", text: "", newline: false });
    expect(harness.terminals.typed).toEqual([
      { terminalId: "1", text: "a\nb", paste: true },
      { terminalId: "1", text: "", paste: false },
    ]);
    expect(harness.terminals.written.map(({ bytes }) => Buffer.from(bytes).toString())).toEqual([
      "x",
      "\u001b[200~y[201~201~z\u001b[201~",
    ]);
  });

  test.each(["show", "send", "exec"])("%s to a terminal that is not there is refused by its id", async (cmd) => {
    const { client } = await begin();
    const refusal = { ok: false, error: "unknown terminal id 9", code: "TERMINAL_NOT_FOUND" };
    expect(await about(client, "9", { cmd, command: "ls" })).toMatchObject(refusal);
    expect(await about(client, { no: "id" }, { cmd, command: "ls" })).toMatchObject({ ok: false });
  });
});

describe("readLog", () => {
  async function printedScene(text: string): Promise<MemoryClient> {
    const { harness, client } = await begin();
    await request(client, { cmd: "create" });
    harness.terminals.print("1", text);
    return client;
  }
  const read = (client: MemoryClient, more: Frame = {}): Promise<Frame> =>
    about(client, "1", { cmd: "readLog", ...more });

  test("gives the end without an offset, and from an offset what is there", async () => {
    const client = await printedScene("\u001b[31mred\u001b[0m and blue");
    expect(await read(client, { limit: 4 })).toMatchObject({
      bytes: "blue",
      offset: 17,
      nextOffset: 21,
      truncated: false,
    });
    expect(await read(client)).toMatchObject({ bytes: "red and blue", offset: 0, totalSize: 21, logPath: null });
    expect(await read(client, { strip: false, offset: 0, limit: 8 })).toMatchObject({
      bytes: "\u001b[31mred",
      nextOffset: 8,
      truncated: true,
    });
    for (const offset of [21, 1e12]) expect(await read(client, { offset })).toMatchObject({ bytes: "", offset: 21 });
    for (const odd of [{ offset: -5 }, { offset: 0, limit: 1e12 }]) {
      expect(await read(client, odd)).toMatchObject({ bytes: "red and blue", offset: 0 });
    }
  });

  test.each([4, 5, 7])("never cuts a character in two, in pages of %i bytes", async (limit) => {
    const text = "aü€😀z".repeat(3);
    const client = await printedScene(text);
    let whole = "";
    for (let offset = 0; ;) {
      const page = await read(client, { offset, limit, strip: false });
      whole += String(page["bytes"]);
      expect(page["nextOffset"]).toBeGreaterThan(offset);
      offset = Number(page["nextOffset"]);
      if (page["truncated"] === false) break;
    }
    expect(whole).toBe(text);
    expect((await read(client, { limit: 3 }))["bytes"]).toBe("z");
  });

  test("keeps half a character back until it is whole", async () => {
    const { harness, client } = await begin();
    await request(client, { cmd: "create" });
    const [first, ...rest] = Buffer.from("ü");
    harness.terminals.print("1", Uint8Array.of(first ?? 0));
    const half = { bytes: "", offset: 0, nextOffset: 0, totalSize: 1, truncated: false };
    expect(await read(client, { offset: 0 })).toMatchObject(half);
    harness.terminals.print("1", Uint8Array.from(rest));
    expect(await read(client, { offset: 0 })).toMatchObject({ bytes: "ü", nextOffset: 2 });
  });

  test("never gives more than a page, and knows terminals that are closed", async () => {
    const client = await printedScene("x".repeat(LIMITS.terminalReadBytes + 10));
    await about(client, "1", { cmd: "close" });
    expect(await read(client, { offset: 0 })).toMatchObject({ nextOffset: LIMITS.terminalReadBytes, truncated: true });
    expect(await about(client, "2", { cmd: "readLog" })).toMatchObject({ error: "unknown terminal id 2" });
  });
});

describe("close", () => {
  test("is never refused, and says where it came from", async () => {
    const { harness, client } = await begin();
    const watcher = await watch(harness, "system.terminal.closed");
    for (const origin of ["marker", "claws_done", 7]) {
      const { id } = await request(client, { cmd: "create" });
      expect(await about(client, id, { cmd: "close", close_origin: origin })).toMatchObject({ alreadyClosed: false });
      expect(await about(client, id, { cmd: "close" })).toMatchObject({ ok: true, alreadyClosed: true });
    }
    expect(await about(client, "../1", { cmd: "close" })).toMatchObject({ ok: true, alreadyClosed: true });
    expect(told(watcher).map(([, payload]) => (payload as Frame)["close_origin"])).toEqual([
      "marker",
      "orchestrator",
      "orchestrator",
    ]);
  });
});

describe("exec", () => {
  test("refuses what is no command line, and labels what it cannot know", async () => {
    const { client } = await begin();
    await request(client, { cmd: "create" });
    expect(await about(client, "1", { cmd: "exec" })).toMatchObject({ error: "exec: command required" });
    const long = "x".repeat(LIMITS.execCommandChars + 1);
    expect(await about(client, "1", { cmd: "exec", command: long })).toMatchObject({ error: "exec: command too long" });
    expect(await about(client, "1", { cmd: "exec", command: "ls" })).toMatchObject({
      ok: true,
      exitCode: null,
      degraded: true,
      note: expect.stringContaining("no shell integration") as string,
      event: { terminalId: "1", terminalName: "Claws 1", commandLine: "ls" },
    });
  });
});

describe("history", () => {
  async function ranScene(): Promise<MemoryClient> {
    const { harness, client } = await begin();
    const at = "2026-01-01T00:00:00.000Z";
    for (const id of ["1", "2"]) {
      await request(client, { cmd: "create", name: `t${id}` });
      harness.terminals.print(id, `out of ${id}\n`);
      const [startedAt, endedAt] = [Date.parse(at), Date.parse(at)];
      const command = { kind: "command-end", terminalId: id, at, startedAt, endedAt, command: `run ${id}` } as const;
      harness.terminals.tell({ ...command, number: 1, exitCode: 0, degraded: false, from: 0, to: 9 });
      await settle();
    }
    return client;
  }

  test("is read of one terminal or of all, from a place on, the newest first to be kept", async () => {
    const client = await ranScene();
    const all = await request(client, { cmd: "poll" });
    expect(all).toMatchObject({
      truncated: false,
      events: [
        { commandLine: "run 1", output: "out of 1\n", terminalName: "t1" },
        { commandLine: "run 2", exitCode: 0 },
      ],
    });
    const [first] = all["events"] as Frame[];
    expect(await request(client, { cmd: "poll", since: first?.["seq"] })).toMatchObject({
      events: [{ terminalId: "2" }],
    });
    expect(await request(client, { cmd: "poll", limit: 1 })).toMatchObject({
      truncated: true,
      cursor: all["cursor"],
      events: [{ terminalId: "2" }],
    });
    expect(await request(client, { cmd: "poll", since: all["cursor"] })).toMatchObject({ events: [] });
    expect(await about(client, "1", { cmd: "read" })).toMatchObject({ events: [{ terminalId: "1" }] });
    expect((await about(client, 77, { cmd: "read" }))["events"]).toHaveLength(2);
  });
});

test("close is answered when the mission knows of it", async () => {
  const harness = await startBus();
  const { client } = await join(harness, "orchestrator");
  for (const body of [
    { cmd: "lifecycle.plan", plan: "p", workerMode: "single", expectedWorkers: 1 },
    { cmd: "lifecycle.advance", to: "SPAWN" },
    { cmd: "lifecycle.register-spawn", terminalId: "9", correlationId: "c9", name: "w" },
  ]) {
    await request(client, body);
  }
  harness.terminals.add("9");
  const asked = client.frames.length;
  client.send(JSON.stringify({ id: "9", cmd: "close" }));
  while (client.frames.length === asked) await new Promise((resolve) => setImmediate(resolve));
  client.send(JSON.stringify({ id: 1, cmd: "lifecycle.snapshot" }));
  const snapshot = JSON.parse(client.frames.at(-1) ?? "") as { state: { workers: unknown } };
  expect(snapshot.state.workers).toEqual([{ id: "9", closed: true }]);
});
