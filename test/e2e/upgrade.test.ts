import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Orchestrator } from "claw-client";
import { connectOrchestrator } from "claw-client";
import { unixChannel } from "claw-client/node";
import { describe, expect, onTestFinished, test } from "vitest";
import { until } from "../../packages/claw/src/process/testing/until.ts";
import type { Frame, WireClient } from "./daemon-process.ts";
import { clawsFile, connectWire, isAlive, readLog, startDaemon } from "./daemon-process.ts";
import { snapshot } from "./provocations.ts";
import type { Installation } from "./release.ts";
import { beginInstalled, installRelease, putReleaseFiles, RELEASE_NAMES, stopInstalledAfterTest } from "./release.ts";
import { clawJson } from "./run-claw.ts";
import { endHostAfterTest, printed } from "./terminal-wire.ts";
import { putNewerVersion } from "./upkeep-provocations.ts";
import type { Workspace } from "./workspace.ts";
import { createWorkspace, secretFile } from "./workspace.ts";

const TOOL_VERSION = (
  JSON.parse(readFileSync(new URL("../../packages/claw/package.json", import.meta.url), "utf8")) as { version: string }
).version;

const dataOf = ({ payload }: Frame): Frame => ((payload as Frame)["data"] as Frame | undefined) ?? (payload as Frame);

/** Data of the events on a topic, in order; of the server's events, those about one worker. */
const logged = (workspace: Workspace, topic: string, peerId?: string): Frame[] =>
  readLog(workspace)
    .filter((event) => event["topic"] === topic)
    .map(dataOf)
    .filter((data) => peerId === undefined || data["peerId"] === peerId);

/** An agent that works until a file is there, whoever is the daemon meanwhile. */
const steady = (file: string) => ({
  steps: [
    {
      type: "tool",
      name: "Bash",
      input: { command: "wait" },
      runs: `touch '${file}.begun'; until [ -e '${file}' ]; do sleep 0.05; done`,
    },
    { type: "text", text: "The file is there." },
  ],
});

const ASKER = {
  steps: [
    {
      type: "permission",
      tool: "Bash",
      input: { command: "touch asked" },
      runs: "touch asked",
      allowed: [{ type: "text", text: "It was allowed." }],
    },
  ],
};

interface Place {
  readonly workspace: Workspace;
  readonly installed: Installation;
}

/** A workspace with a daemon of an older release. */
async function withOlder(release: string, ...flags: string[]): Promise<Place & { pid: number; http: string | null }> {
  const workspace = createWorkspace();
  const installed = installRelease(release, workspace);
  stopInstalledAfterTest(workspace, installed);
  const { pid, http } = await installed.json(workspace, ["up", ...flags]);
  return { workspace, installed, pid: Number(pid), http: http as string | null };
}

async function spawnFake({ workspace, installed }: Place, name: string, scenario: object, ...flags: string[]) {
  const file = join(workspace.home, `${name}.json`);
  writeFileSync(file, JSON.stringify(scenario));
  const args = ["spawn", `work as ${name}`, "--name", name, "--harness", "fake", "--scenario", file, ...flags];
  const { error, ...body } = await installed.json(workspace, args);
  expect(error).toBeUndefined();
  return { id: String(body["peer_id"]), pid: Number(body["pid"]) };
}

/** Publishes numbered events one after the other until it is stopped; then resolves with the number of the last. */
function publishOn(bus: Orchestrator): () => Promise<number> {
  const state = { isStopped: false };
  const running = (async () => {
    let number = 0;
    while (!state.isStopped) await bus.publish("note.counted", { number: (number += 1) });
    return number;
  })();
  return () => {
    state.isStopped = true;
    return running;
  };
}

const ptyOf = async (wire: WireClient, terminal: string): Promise<unknown> => {
  const { terminals } = await wire.ask({ cmd: "list" });
  return (terminals as Frame[]).find((each) => each["id"] === terminal)?.["ptyPid"];
};

describe.each(RELEASE_NAMES)("a daemon of %s", (release) => {
  test("is replaced: workers, a terminal, a question and all events go on", { timeout: 240_000 }, async () => {
    const place = await withOlder(release, "--http", "127.0.0.1:0", "--tee");
    const { workspace, installed, pid } = place;
    endHostAfterTest(workspace);
    const file = join(workspace.home, "go");
    const asker = await spawnFake(place, "asker", ASKER, "--check", "test -e asked");
    const worker = await spawnFake(place, "steady", steady(file));
    await until("the worker to be at work", () => existsSync(`${file}.begun`));
    const wire = await connectWire(clawsFile(workspace, "claws.sock"));
    const program = `echo begun; until [ -e '${file}' ]; do sleep 0.05; done; echo gone on; read end`;
    const { terminalId, id = terminalId } = await wire.ask({
      cmd: "create",
      wrapped: true,
      argv: ["sh", "-c", program],
    });
    const terminal = String(id);
    await printed(wire, terminal, "begun");
    const pty = await ptyOf(wire, terminal);
    await until("the question", () => logged(workspace, "system.approval.opened", asker.id).length === 1);
    const bus = connectOrchestrator({ channel: unixChannel(clawsFile(workspace, "claws.sock")), name: "counter" });
    onTestFinished(() => bus.close());
    const stopPublishing = publishOn(bus);

    installed.upgrade();
    expect(await installed.json(workspace, ["up"])).toMatchObject({
      effect: "noop",
      pid,
      version: release,
      outdated: true,
      warnings: [expect.stringMatching(/^DAEMON_OUTDATED: .* claw up --replace /)],
    });
    const plan = await installed.json(workspace, ["up", "--replace", "--dry-run"]);
    expect(plan).toMatchObject({ effect: "would_update", pid, replaced: { version: release, pid } });
    expect(isAlive(pid)).toBe(true);
    const up = await installed.json(workspace, ["up", "--replace"]);
    expect(up).toMatchObject({ effect: "updated", version: TOOL_VERSION, outdated: false, http: place.http });
    expect(up["replaced"]).toEqual({
      version: release,
      pid,
      workers: [
        { peer_id: asker.id, name: "asker", pid: asker.pid },
        { peer_id: worker.id, name: "steady", pid: worker.pid },
      ],
    });
    expect(isAlive(pid)).toBe(false);
    expect(await installed.json(workspace, ["up", "--tee"])).toMatchObject({ effect: "noop", outdated: false });

    const again = await connectWire(clawsFile(workspace, "claws.sock"));
    expect(await ptyOf(again, terminal)).toBe(pty);
    expect(await installed.json(workspace, ["approvals"])).toMatchObject({ approvals: [{ worker: "asker" }] });
    expect((await installed.json(workspace, ["approve", "asker"])).error).toBeUndefined();
    writeFileSync(file, "");
    await printed(again, terminal, "gone on");
    for (const each of [asker, worker]) {
      await until("the worker's end", () => logged(workspace, "system.worker.terminated", each.id).length === 1);
      expect(logged(workspace, `worker.${each.id}.boot`)).toHaveLength(1);
      expect(logged(workspace, `worker.${each.id}.complete`)).toMatchObject([{ result: "ok" }]);
    }
    await until("the check", () => logged(workspace, "system.worker.verified", asker.id).length === 1);
    const last = await stopPublishing();
    expect(logged(workspace, "note.counted").map(({ number }) => number)).toEqual(
      Array.from({ length: last }, (_, index) => index + 1),
    );
    const log = readLog(workspace);
    expect(log.map(({ sequence }) => sequence)).toEqual(log.map((_, index) => index + 1));
    again.send({ cmd: "close", id: terminal });
    await until("the terminal to be closed", () => logged(workspace, "system.terminal.closed").length === 1);
  });

  test("is replaced once when two calls want it at once", async () => {
    const { workspace, installed, pid } = await withOlder(release);
    installed.upgrade();
    const both = await Promise.all([1, 2].map(() => installed.json(workspace, ["up", "--replace"])));
    expect(both.map(({ error, version }) => [error, version])).toEqual([
      [undefined, TOOL_VERSION],
      [undefined, TOOL_VERSION],
    ]);
    expect(new Set(both.map((answer) => answer["pid"])).size).toBe(1);
    expect(isAlive(pid)).toBe(false);
  });

  test("keeps its flags for the next start when the replacing process is killed in the middle", async () => {
    const { workspace, installed, pid } = await withOlder(release, "--tee", "--rate-limit", "77");
    installed.upgrade();
    process.kill(pid, "SIGSTOP");
    const call = beginInstalled(installed, workspace, ["up", "--replace"]);
    const kept = await until("the flags to be kept", () => replacementOf(workspace));
    expect(JSON.parse(readFileSync(kept, "utf8"))).toEqual({ flags: { tee: true, rateLimit: 77 } });
    const gone = new Promise((resolve) => call.once("exit", resolve));
    call.kill("SIGKILL");
    await gone;
    process.kill(pid, "SIGCONT");
    process.kill(pid, "SIGTERM");
    await until("the older daemon to end", () => !isAlive(pid));
    expect(await installed.json(workspace, ["up"])).toMatchObject({ effect: "created", version: TOOL_VERSION });
    expect(await installed.json(workspace, ["up", "--rate-limit", "77", "--tee"])).toMatchObject({ effect: "noop" });
    expect(existsSync(kept)).toBe(false);
  });

  test("left files that this version reads, and goes on with", async () => {
    const workspace = createWorkspace();
    putReleaseFiles(release, workspace);
    const installed = installRelease(release, workspace);
    installed.upgrade();
    stopInstalledAfterTest(workspace, installed);
    const before = readLog(workspace);
    expect(await installed.json(workspace, ["load-session", "review"])).toMatchObject({ loaded: true });
    expect(await installed.json(workspace, ["config"])).toMatchObject({ exit_code: 0 });
    expect(await installed.json(workspace, ["up"])).toMatchObject({ effect: "created" });
    const { workers } = await installed.json(workspace, ["ps", "--all"]);
    expect(workers).toMatchObject([
      { name: "tidy", state: "finished" },
      { name: "asker", state: "aborted" },
    ]);
    const { sequence } = await installed.json(workspace, ["publish", "note.next", "{}"]);
    expect(Number(sequence)).toBeGreaterThan(before.length);
    expect(readLog(workspace).slice(0, before.length)).toEqual(before);
  });
});

/** Where a replacement keeps the flags; undefined when there is none. */
function replacementOf({ cwd, home }: Workspace): string | undefined {
  const path = secretFile({ cwd, home }, "replacement.json");
  return existsSync(path) ? path : undefined;
}

/** What a version of claw with a newer log format leaves: it names its version, and 0.1.0 meets a folder among files. */
function putNewerFormat(workspace: Workspace): void {
  const log = clawsFile(workspace, "log");
  mkdirSync(join(log, "needs-claw-9.0-or-newer"), { recursive: true, mode: 0o700 });
  for (const name of ["durable", "state"]) mkdirSync(clawsFile(workspace, name), { mode: 0o700 });
  writeFileSync(join(log, "meta.json"), '{"version":2,"epoch":"0003"}\n');
  writeFileSync(join(log, "000000000001.jsonl"), "what only the newer version understands\n");
  writeFileSync(clawsFile(workspace, ".gitignore"), "*\n");
}

describe("a downgrade", () => {
  test.each(RELEASE_NAMES)("claw %s refuses a folder of a newer format, and changes nothing", async (release) => {
    const workspace = createWorkspace();
    putNewerFormat(workspace);
    const installed = installRelease(release, workspace);
    stopInstalledAfterTest(workspace, installed);
    const before = snapshot(workspace.cwd);
    const { error } = await installed.json(workspace, ["up"]);
    expect(error?.["message"]).toMatch(/needs-claw-9\.0-or-newer|has version 2/);
    const { lasting } = snapshot(workspace.cwd);
    const { ".claws/daemon.log.start": _words, ...rest } = lasting;
    expect(rest).toEqual(before.lasting);
  });

  test("this version refuses it by its version", async () => {
    const workspace = createWorkspace();
    putNewerFormat(workspace);
    const before = snapshot(workspace.cwd);
    const { error } = await clawJson(workspace, ["up"]);
    expect(error).toMatchObject({ code: "FORMAT_UNSUPPORTED", message: expect.stringContaining("has version 2") });
    expect(snapshot(workspace.cwd)).toEqual(before);
  });

  test("a newer daemon is not replaced, and up says which version runs", async () => {
    const workspace = createWorkspace();
    const { pid } = await startDaemon(workspace);
    putNewerVersion(workspace);
    expect(await clawJson(workspace, ["up"])).toMatchObject({
      effect: "noop",
      version: "99.0.0",
      outdated: false,
      warnings: [expect.stringContaining("DAEMON_NEWER")],
    });
    expect((await clawJson(workspace, ["up", "--replace"])).error).toMatchObject({ code: "DOWNGRADE_REFUSED" });
    expect(isAlive(pid)).toBe(true);
  });

  test("a settings file of a newer version is named, and not used", async () => {
    const workspace = createWorkspace();
    mkdirSync(join(workspace.cwd, ".claw"));
    writeFileSync(join(workspace.cwd, ".claw", "settings.json"), '{ "$version": 2, "model": "scripted" }');
    expect(await clawJson(workspace, ["config"])).toMatchObject({
      status: "degraded",
      load_error: expect.stringContaining("it has version 2; this version of claw reads up to 1"),
    });
  });
});

describe("a daemon that could not speak to what runs", () => {
  test("does not replace the daemon of a worker of a newer protocol", async () => {
    const place = await withOlder("0.1.0");
    const { workspace, installed, pid } = place;
    const file = join(workspace.home, "go");
    const { id } = await spawnFake(place, "steady", steady(file));
    await until("the worker to be at work", () => existsSync(`${file}.begun`));
    const path = join(clawsFile(workspace, "workers"), id, "job.json");
    const job = JSON.parse(readFileSync(path, "utf8")) as object;
    writeFileSync(path, JSON.stringify({ ...job, version: 2 }));
    installed.upgrade();
    expect((await installed.json(workspace, ["up", "--replace"])).error).toMatchObject({
      code: "PROTOCOL_MISMATCH",
      target: "steady",
      hint: expect.stringContaining("claw restart"),
    });
    expect(isAlive(pid)).toBe(true);
    await installed.json(workspace, ["abort", "steady"]);
  });
});
