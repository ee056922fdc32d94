import { createHmac } from "node:crypto";
import {
  appendFileSync,
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { connect } from "node:net";
import { join } from "node:path";
import { ClawError } from "claw-contract";
import { afterEach, describe, expect, onTestFinished, test } from "vitest";
import { jsonLines, wholeLines } from "../../process/testing/json-lines.ts";
import { openTokenStore } from "../../bus/index.ts";
import { nodeFileSystem, stateFolder } from "../../files/index.ts";
import { temporaryFolder } from "../../files/testing/temporary-folder.ts";
import type { DaemonOptions } from "./daemon-options.ts";
import type { RunningDaemon } from "./run-daemon.ts";
import { startDaemon } from "./run-daemon.ts";

const optionsIn = (cwd: string, more: Partial<DaemonOptions> = {}): DaemonOptions => ({
  cwd,
  version: "test",
  socket: undefined,
  http: undefined,
  durability: "relaxed",
  policy: "strict",
  rateLimit: 0,
  requireToken: false,
  tlsCert: undefined,
  tlsKey: undefined,
  insecure: false,
  budgetUsd: undefined,
  budgetUsdPerDay: undefined,
  budgetTokensPerDay: undefined,
  tee: false,
  env: {},
  rules: [],
  program: [process.execPath],
  part: () => [process.execPath],
  pageFolder: "/nowhere",
  ...more,
});

// A daemon changes it for its whole process, in which other tests run too.
const UMASK = process.umask();
afterEach(() => void process.umask(UMASK));

async function start(cwd: string, more?: Partial<DaemonOptions>): Promise<RunningDaemon> {
  const daemon = await startDaemon(optionsIn(cwd, more), new AbortController().signal);
  onTestFinished(() => daemon.stop());
  return daemon;
}

type Frame = Readonly<Record<string, unknown>>;

/** Asks one thing after the other, and gives the answers. */
function ask(socketPath: string, ...requests: readonly Frame[]): Promise<Frame[]> {
  return new Promise((resolve, reject) => {
    const socket = connect(socketPath);
    let text = "";
    socket.on("error", reject).setEncoding("utf8");
    socket.on("data", (chunk: string) => {
      text += chunk;
      const answers = jsonLines(wholeLines(text));
      const own = answers.filter(({ rid }) => rid !== undefined);
      if (own.length < requests.length) return;
      socket.destroy();
      resolve(own);
    });
    for (const [id, request] of requests.entries()) socket.write(`${JSON.stringify({ id, ...request })}\n`);
  });
}

const HELLO = { cmd: "hello", protocol: "claws/2", role: "orchestrator", capabilities: ["receipts"] };
const publish = (n: number): Frame => ({ cmd: "publish", topic: "note.x", payload: { n } });

async function publishOne({ record }: RunningDaemon, n: number): Promise<Frame> {
  const [, receipt] = await ask(record.socket, HELLO, publish(n));
  return receipt ?? {};
}

/** A folder in which a daemon has been at work, with every file that it makes. */
async function usedFolder(): Promise<string> {
  const cwd = temporaryFolder(onTestFinished);
  const daemon = await start(cwd, { tee: true, requireToken: false });
  for (const n of [1, 2, 3]) expect(await publishOne(daemon, n)).toMatchObject({ ok: true });
  await daemon.stop();
  writeFileSync(
    join(cwd, ".claws", "durable", "reader.json"),
    JSON.stringify({ name: "reader", topic: "a", epoch: "0001", acked: 1 }),
  );
  return cwd;
}

const SECRETS = ["orchestrator.token", "token.secret", "token.used", "workspace.json"];

const FILES = [
  "counters.json",
  "daemon.json",
  "daemon.log",
  "events.jsonl",
  "events.jsonl.position",
  ...SECRETS,
  "log/meta.json",
  "durable/reader.json",
  "state/SNAPSHOT",
];

/** The newest snapshot has a name that depends on how much happened. */
function pathOf(cwd: string, name: string): string {
  const folder = join(cwd, ".claws");
  if (SECRETS.includes(name)) return join(stateFolder(cwd), name);
  if (name !== "state/SNAPSHOT") return join(folder, name);
  return join(folder, "state", readdirSync(join(folder, "state")).at(-1) ?? "");
}

/** Starts, and says what became of it. */
async function attempt(cwd: string): Promise<RunningDaemon | ClawError> {
  return startDaemon(optionsIn(cwd, { tee: true }), new AbortController().signal).catch(
    (error: unknown) => error as ClawError,
  );
}

describe.each(FILES)("a daemon that finds %s", (name) => {
  test.each<[string, (path: string) => void]>([
    ["missing", (path) => rmSync(path, { force: true })],
    ["empty", (path) => writeFileSync(path, "")],
    ["full of nonsense", (path) => writeFileSync(path, "\0\u{1f600}{]\n\n".repeat(50))],
    ["to be null", (path) => writeFileSync(path, "null\n")],
  ])("%s starts, keeps every event and every sequence, or says which file is wrong", async (what, change) => {
    const cwd = await usedFolder();
    const path = pathOf(cwd, name);
    change(path);
    const outcome = await attempt(cwd);
    if ("record" in outcome) onTestFinished(() => outcome.stop());
    const { code, target, cursor, sequence } =
      "record" in outcome ? await publishOne(outcome, 4) : (outcome as ClawError & Frame);
    const refuses = name === "token.secret" && what !== "missing";
    expect({ code, target }).toEqual(refuses ? { code: "FILESYSTEM_ERROR", target: path } : {});
    expect([String(cursor).startsWith("0001:"), Number(sequence) > 9]).toEqual(refuses ? [false, false] : [true, true]);
  });

  test.each<[string, (path: string, cwd: string) => void]>([
    ["a folder", (path) => mkdirSync(path)],
    ["a link", (path, cwd) => symlinkSync(join(cwd, "target"), path)],
  ])("to be %s says so, and changes nothing behind it", async (_what, put) => {
    const cwd = await usedFolder();
    writeFileSync(join(cwd, "target"), "mine");
    chmodSync(join(cwd, "target"), 0o644);
    const path = pathOf(cwd, name);
    rmSync(path, { force: true });
    put(path, cwd);
    expect(await attempt(cwd)).toMatchObject({ code: "FILESYSTEM_ERROR", target: path });
    expect([readFileSync(join(cwd, "target"), "utf8"), statSync(join(cwd, "target")).mode & 0o777]).toEqual([
      "mine",
      0o644,
    ]);
    rmSync(path, { recursive: true });
    await start(cwd);
  });
});

describe("a daemon", () => {
  test("begins another log when its log was removed, and readers of the old one are told", async () => {
    const cwd = await usedFolder();
    rmSync(join(cwd, ".claws", "log"), { recursive: true });
    const daemon = await start(cwd);
    const hello = { ...HELLO, capabilities: ["receipts", "gap", "durable"] };
    const [, receipt] = await ask(daemon.record.socket, hello, publish(1));
    expect(receipt).toMatchObject({ ok: true, cursor: expect.stringMatching(/^0002:\d$/) });
    const subscribe = { cmd: "subscribe", topic: "a", durable: "reader" };
    expect((await ask(daemon.record.socket, hello, subscribe))[1]).toMatchObject({ ok: true, ackedCursor: "0002:0" });
    expect(readFileSync(join(cwd, ".claws", "daemon.log"), "utf8")).toContain(".snapshot is not used");
  });

  test("goes on behind a last line that makes no sense, under new numbers", async () => {
    const cwd = await usedFolder();
    const segment = join(cwd, ".claws", "log", "000000000001.jsonl");
    const before = readFileSync(segment, "utf8").trimEnd().split("\n").length;
    appendFileSync(segment, "nonsense\n");
    const receipt = await publishOne(await start(cwd), 4);
    expect(Number(receipt["sequence"])).toBeGreaterThan(before);
  });

  test("does not let in who signs with a secret that others can read", async () => {
    const cwd = temporaryFolder(onTestFinished);
    mkdirSync(join(cwd, ".claws"));
    const secret = join(cwd, ".claws", "auth.token");
    writeFileSync(secret, "s3cret");
    chmodSync(secret, 0o644);
    await expect(start(cwd)).rejects.toMatchObject({ code: "FILE_ACCESS_DENIED", target: secret });
    chmodSync(secret, 0o600);
    const daemon = await start(cwd);
    expect(await ask(daemon.record.socket, HELLO)).toMatchObject([{ ok: false, error: "auth:required" }]);
  });

  test("asks for a token beside a secret of older clients, which sign in under compat alone", async () => {
    const cwd = temporaryFolder(onTestFinished);
    mkdirSync(join(cwd, ".claws"));
    writeFileSync(join(cwd, ".claws", "auth.token"), "s3cret", { mode: 0o600 });
    const timestamp = Date.now();
    const nonce = "0123456789abcdef";
    const text = `x:${HELLO.role}:${nonce}:${timestamp}`;
    const token = createHmac("sha256", "s3cret").update(text).digest("hex");
    const signed = { ...HELLO, peerName: "x", nonce, timestamp, token };
    const strict = await start(cwd);
    expect(await ask(strict.record.socket, signed)).toMatchObject([{ ok: false }]);
    await strict.stop();
    const compat = await start(cwd, { policy: "compat" });
    expect(await ask(compat.record.socket, signed)).toMatchObject([{ ok: true }]);
  });

  test("keeps its secrets out of the workspace, and uses none that an older version left in it", async () => {
    const cwd = temporaryFolder(onTestFinished);
    mkdirSync(join(cwd, ".claws"));
    const old = ["token.secret", "token.used", "orchestrator.token"].map((name) => join(cwd, ".claws", name));
    const known = "ab".repeat(32);
    for (const path of old) writeFileSync(path, `${known}\n`, { mode: 0o600 });
    const daemon = await start(cwd, { requireToken: true });
    expect(old.filter((path) => existsSync(path))).toEqual([]);
    expect(daemon.record.token).toBe(join(stateFolder(cwd), "orchestrator.token"));
    const guesser = temporaryFolder(onTestFinished);
    writeFileSync(join(guesser, "token.secret"), `${known}\n`, { mode: 0o600 });
    const forged = openTokenStore(nodeFileSystem, guesser, Date.now).mint({ role: "orchestrator" });
    expect(await ask(daemon.record.socket, { ...HELLO, bearer: forged })).toMatchObject([{ error: "auth:invalid" }]);
    const bearer = readFileSync(daemon.record.token ?? "", "utf8").trim();
    expect(await ask(daemon.record.socket, { ...HELLO, bearer })).toMatchObject([{ ok: true }]);
    const modes = ["", "token.secret", "orchestrator.token"].map((name) => statSync(join(stateFolder(cwd), name)).mode);
    expect(modes.map((mode) => mode & 0o777)).toEqual([0o700, 0o600, 0o600]);
  });

  test("that cannot be as it was asked to leaves nothing, not even a folder", async () => {
    const cwd = temporaryFolder(onTestFinished);
    const wrong: Partial<DaemonOptions>[] = [
      { http: "nonsense" },
      { http: "0.0.0.0:0" },
      { http: "127.0.0.1:0", tlsCert: "/nowhere", tlsKey: "/nowhere" },
      { tlsCert: "a", tlsKey: "b" },
      { socket: join(cwd, "x".repeat(120)) },
    ];
    for (const more of wrong) await expect(start(cwd, more)).rejects.toBeInstanceOf(ClawError);
    expect(existsSync(join(cwd, ".claws"))).toBe(false);
  });

  test("stops in order, once, however often it is told to", async () => {
    const cwd = temporaryFolder(onTestFinished);
    const daemon = await start(cwd);
    await Promise.all([daemon.stop(), daemon.stop()]);
    await daemon.stop();
    expect(readdirSync(join(cwd, ".claws")).toSorted()).toEqual(
      [".gitignore", "counters.json", "daemon.log", "durable", "log", "moments", "notify", "state"].toSorted(),
    );
    const lines = readFileSync(join(cwd, ".claws", "daemon.log"), "utf8")
      .trimEnd()
      .split("\n");
    expect(lines.map((line) => (JSON.parse(line) as Frame)["event"])).toEqual(["started", "stopped"]);
  });
});
