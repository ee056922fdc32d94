import { readFileSync, writeFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { until } from "../../packages/claw/src/process/testing/until.ts";
import { beginClaw, clawsFile, connectWire, startDaemon } from "./daemon-process.ts";
import type { Item } from "./event-scene.ts";
import { begin, eventsOf, follow, itemsOf, numbersOf } from "./event-scene.ts";
import { refused } from "./provocations.ts";
import { clawJson, flatJson, responseJson, runClaw } from "./run-claw.ts";
import type { Workspace } from "./workspace.ts";
import { createWorkspace } from "./workspace.ts";

const HOUR_MS = 3_600_000;
const FIRST_SEGMENT = "log/000000000001.jsonl";

/** A log in which everything, bare events too, was stored an hour before now. */
async function withOldLog(): Promise<{ workspace: Workspace; count: number }> {
  const workspace = createWorkspace();
  await startDaemon(workspace);
  await clawJson(workspace, ["publish", "note.old", "1"]);
  await clawJson(workspace, ["down"]);
  const path = clawsFile(workspace, FIRST_SEGMENT);
  const lines = readFileSync(path, "utf8").trimEnd().split("\n");
  const older = (text: string): string => new Date(Date.parse(text) - HOUR_MS).toISOString();
  const aged = lines.map((line) => line.replaceAll(/(?<="ts_server":")[^"]+(?=")/g, older));
  writeFileSync(path, `${aged.join("\n")}\n`);
  await startDaemon(workspace);
  return { workspace, count: lines.length };
}

describe("--since a time", () => {
  test("leaves out every event that was stored before, bare ones of the server too", async () => {
    const { workspace, count } = await withOldLog();
    const topicsSince = async (since: string): Promise<unknown[]> =>
      eventsOf(await clawJson(workspace, ["events", "--since", since])).map(({ topic }) => topic);
    expect((await topicsSince("2h")).slice(0, count)).toEqual(
      expect.arrayContaining(["system.peer.joined", "note.old", "system.peer.left"]),
    );
    const recent = await clawJson(workspace, ["events", "--since", "30m"]);
    expect(eventsOf(recent).every(({ sequence }) => Number(sequence) > count)).toBe(true);
    await clawJson(workspace, ["publish", "note.new", "{}"]);
    const wait = ["wait", "--topic", "note.*", "--since", "30m"];
    expect(Number((await clawJson(workspace, wait))["sequence"])).toBeGreaterThan(count);
  });

  test("says of each event when it was stored", async () => {
    const { workspace, count } = await withOldLog();
    const events = eventsOf(await clawJson(workspace, ["events"]));
    const ages = events.map(({ ts_server }) => Date.now() - Date.parse(String(ts_server)) > HOUR_MS / 2);
    expect(ages).toEqual(events.map((_, index) => index < count));
    const cloud = eventsOf(await clawJson(workspace, ["events", "--format", "cloudevents"]));
    expect(cloud.slice(0, events.length).map(({ time }) => time)).toEqual(events.map(({ ts_server }) => ts_server));
  });
});

describe("--since a cursor", () => {
  test.each(["events", "wait"])("beyond the end of the log is refused by %s as any wrong cursor is", async (verb) => {
    const { workspace } = await begin();
    const args = [verb, "--since", "0001:999999"];
    const error = { code: "INVALID_CURSOR", message: "invalid cursor: 0001:999999" };
    expect(await clawJson(workspace, args)).toMatchObject({ exit_code: 1, kind: "invalid_cursor", error });
    expect(await flatJson(workspace, args)).toMatchObject({ type: "error", kind: "invalid_cursor" });
    expect(await responseJson(workspace, args)).toMatchObject({ exitCode: 3, error });
    const { stderr } = await runClaw(workspace, args);
    expect(stderr).toContain("next: Use a cursor that this bus gave, or 0000:0 for everything there is.");
  });

  test("of another log shows the gap before what is there now", async () => {
    const { workspace, note } = await begin();
    await note(1);
    const read = (...flags: string[]) => ["events", "--since", "0009:7", "--topic", "note.*", ...flags];
    const answer = await clawJson(workspace, read());
    expect(answer).toMatchObject({
      events_count: 1,
      events: [{ type: "gap", from: "0009:7", to: "0001:0", reason: "epoch" }, { type: "event" }],
    });
    const [gap, event] = eventsOf(await clawJson(workspace, read("--format", "cloudevents")));
    expect(gap).toMatchObject({ specversion: "1.0", source: "claws://server", type: "claw.gap" });
    expect([gap?.["id"], event?.["type"]]).toEqual([expect.stringMatching(/./), "note.x"]);
    const { stdout } = await runClaw(workspace, read());
    expect(stdout).toContain("events after 0009:7 and up to 0001:0 can no longer be read: the log was replaced");
    const wait = await clawJson(workspace, ["wait", "--since", "0009:7", "--topic", "note.*"]);
    expect(wait["warnings"]).toEqual([expect.stringMatching(/^EVENTS_MISSED: events after 0009:7/)]);
  });
});

describe("where a reading stands", () => {
  test("is where it began when it followed and nothing came", async () => {
    const { workspace, note } = await begin();
    await note(1, 2);
    const flags = ["--follow", "--topic", "quiet.**", "--output-format", "stream-json", "--timeout-seconds", "1"];
    const { stdout } = await runClaw(workspace, ["events", ...flags]);
    const { resume_cursor } = JSON.parse(stdout) as Item;
    await note(3);
    const later = await clawJson(workspace, ["events", "--since", String(resume_cursor), "--topic", "note.*"]);
    expect(numbersOf(eventsOf(later))).toEqual([3]);
  });

  test("does not show the arrival of who follows from now on", async () => {
    const scene = await begin();
    const call = beginClaw(scene.workspace, ["events", "--follow", "--output-format", "stream-json"]);
    const shown = async (): Promise<unknown> => {
      await scene.note(1);
      return call.lines[0];
    };
    await until("an event", shown);
    expect(itemsOf(call)[0]).toMatchObject({ topic: "note.x" });
  });

  test("is told when a wait was in vain, so that the next one misses nothing", async () => {
    const { workspace, note } = await begin();
    await note(1);
    const wait = ["wait", "--topic", "note.*", "--filter", "n=2", "--timeout-seconds", "4"];
    const failed = await clawJson(workspace, wait);
    expect(failed.error).toMatchObject({ code: "TIMEOUT", timeout_ms: 4000, resume_cursor: expect.any(String) });
    expect(failed.error?.["message"]).toBe("no event on note.* fitted in time");
    await note(2);
    const since = String(failed.error?.["resume_cursor"]);
    expect(await clawJson(workspace, [...wait.slice(0, 5), "--since", since])).toMatchObject({ payload: { n: 2 } });
  });

  test("lets a log that is larger than an answer be read in answers", async () => {
    const { workspace, note } = await begin();
    await note(...Array.from({ length: 60 }, (_, index) => index));
    const numbers: unknown[] = [];
    let [since, answers] = ["0000:0", 0];
    for (let more = true; more; answers += 1) {
      const args = ["events", "--topic", "note.*", "--since", since];
      const page = await clawJson(workspace, args, { env: { CLAW_MAX_OUTPUT_BYTES: "5000" } });
      numbers.push(...numbersOf(eventsOf(page)));
      since = String(page["resume_cursor"]);
      more = page["truncated"] === true;
    }
    expect(numbers).toEqual(Array.from({ length: 60 }, (_, index) => index));
    expect(answers).toBeGreaterThan(2);
  });
});

describe("several topics", () => {
  test("are read in the order of the log, each event once", async () => {
    const { workspace, client } = await begin();
    for (const topic of ["note.a", "other.b", "note.c", "third.d"]) await client.publish(topic, {});
    const read = async (...flags: string[]): Promise<unknown[]> =>
      eventsOf(await clawJson(workspace, ["events", ...flags])).map(({ topic }) => topic);
    expect(await read("--topic", "third.*", "--topic", "note.**")).toEqual(["note.a", "note.c", "third.d"]);
    expect(await read("--topic", "note.a,note.*,other.b")).toEqual(["note.a", "other.b", "note.c"]);
    expect(await read("--topic", "note.*", "--topic", "third.*", "--limit", "2")).toEqual(["note.a", "note.c"]);
    expect(await refused(workspace, ["events", "--topic", "note.*", "--topic", "a b"])).toMatchObject({
      code: "INVALID_FLAG_VALUE",
      message: "'a b' is not a pattern of topics",
    });
    const wait = ["wait", "--since", "0000:0", "--topic", "third.*", "--topic", "other.*"];
    expect(await clawJson(workspace, wait)).toMatchObject({ topic: "other.b" });
  });

  test("a filter's value may hold commas", async () => {
    const { workspace, client } = await begin();
    await client.publish("note.x", { text: "first, second" });
    const wait = ["wait", "--since", "0000:0", "--topic", "note.x", "--filter", "text=first, second"];
    expect(await clawJson(workspace, wait)).toMatchObject({ found: true });
  });
});

describe("who waits at a terminal", () => {
  test("is told what for, unless he wants quiet; a program is not", async () => {
    const scene = await begin();
    const call = await follow(scene);
    process.kill(call.pid, "SIGINT");
    const { exitCode, stderr } = await call.ended;
    expect(exitCode).toBe(130);
    expect(stderr).toMatch(
      /^Following note\.\* from now on; Ctrl-C ends it\.\nerror\[cancelled\]: .*\nnext: Go on with --since 0001:\d+\.\n$/,
    );
    const wait = ["wait", "--topic", "system.peer.joined", "--since", "0000:0"];
    const { stderr: waited } = await runClaw(scene.workspace, wait);
    expect(waited).toBe("Waiting for system.peer.joined; Ctrl-C ends it.\n");
    const { stderr: quiet } = await runClaw(scene.workspace, [...wait, "--quiet"]);
    expect(quiet).toBe("");
    await clawJson(scene.workspace, wait);
  });

  test("sees who did what in a line, and with --verbose the whole payload", async () => {
    const { workspace, daemon } = await begin();
    const client = await connectWire(daemon.socket);
    await client.hello("orchestrator");
    await client.publish("cmd.role.worker", { command: "pause" });
    const { stdout } = await runClaw(workspace, ["events", "--topic", "cmd.**"]);
    expect(stdout).toMatch(/^ +\d+ {2}\d\d-\d\d \d\d:\d\d:\d\d {2}\S+ +cmd\.role\.worker {2}\{"command":"pause"\}\n/);
    const whole = await runClaw(workspace, ["events", "--topic", "cmd.**", "--verbose"]);
    const [head = "", ...lines] = whole.stdout.trimEnd().split("\n").slice(0, -1);
    expect(head).toMatch(/ {2}cmd\.role\.worker {2}p_\w+$/);
    expect(JSON.parse(lines.join("\n"))).toMatchObject({ v: 1, data: { command: "pause" } });
  });
});
