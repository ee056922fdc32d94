import { createHash } from "node:crypto";
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { gzipSync } from "node:zlib";
import { connectOrchestrator } from "claw-client";
import { unixChannel } from "claw-client/node";
import { describe, expect, onTestFinished, test } from "vitest";
import { until } from "../../packages/claw/src/process/testing/until.ts";
import { headerOf, paddingOf, TAR_END } from "../../packages/claw/src/verbs/upkeep/archive/tar-header.ts";
import { beginClaw, clawsFile, isAlive, readLog, startDaemon } from "./daemon-process.ts";
import { lockFile, putLock, snapshot } from "./provocations.ts";
import { clawJson } from "./run-claw.ts";
import type { Workspace } from "./workspace.ts";
import { createWorkspace, secretFile } from "./workspace.ts";

const fileOf = ({ home }: Workspace): string => join(dirname(home), "kept.tar.gz");

async function putSessions(workspace: Workspace, ...ids: string[]): Promise<void> {
  for (const id of ids) await clawJson(workspace, ["flush-transcript", `about ${id}`, "--session-id", id]);
}

const sessionsOf = async (workspace: Workspace): Promise<unknown[]> => {
  const { sessions } = await clawJson(workspace, ["list-sessions"]);
  return (sessions as { id: string }[]).map(({ id }) => id).toSorted();
};

/** A tar file with these entries and a list of them, as a backup has it; or with entries that no backup has. */
function pack(
  entries: readonly (readonly [path: string, content: string, header?: Buffer])[],
  more: object = {},
): Buffer {
  const files = entries.map(([path, content]) => ({
    path,
    size: Buffer.byteLength(content),
    sha256: createHash("sha256").update(content).digest("hex"),
  }));
  const list = JSON.stringify({ backup: 1, version: "0.2.0", created_at: "now", workspace: "/w", files, ...more });
  const parts = [...entries, ["claw-backup.json", list] as const].flatMap(([path, content, header]) => {
    const bytes = Buffer.from(content);
    return [header ?? headerOf(path, bytes.length), bytes, Buffer.alloc(paddingOf(bytes.length))];
  });
  return gzipSync(Buffer.concat([...parts, TAR_END]));
}

/** A header whose type says that it is something else than a file. */
function headerOfType(path: string, type: string): Buffer {
  const header = headerOf(path, 0);
  const sum = header.reduce((all, byte, index) => all + (index >= 148 && index < 156 ? 0x20 : byte), 0);
  const changed = sum - 0x30 + type.charCodeAt(0);
  header.write(type, 156);
  header.write(`${changed.toString(8).padStart(6, "0")}\0 `, 148);
  return header;
}

describe("a backup", () => {
  test("of a daemon that works holds every event acknowledged before, and restores to another log", async () => {
    const workspace = createWorkspace();
    await putSessions(workspace, "one", "two");
    const { pid, socket } = await startDaemon(workspace);
    const bus = connectOrchestrator({ channel: unixChannel(socket), name: "counter" });
    const state = { isStopped: false, number: 0 };
    const publishing = (async () => {
      while (!state.isStopped) {
        await bus.publish("note.counted", { number: state.number + 1 });
        state.number += 1;
      }
    })();
    await until("some events", () => state.number > 50);
    const file = fileOf(workspace);
    const acknowledged = state.number;
    const made = await clawJson(workspace, ["backup", file]);
    expect(made).toMatchObject({ effect: "created", file, sessions: 2 });
    expect(statSync(file).mode & 0o777).toBe(0o600);
    state.isStopped = true;
    await publishing;
    await bus.close();
    await putSessions(workspace, "later");
    process.kill(pid, "SIGTERM");
    await until("the daemon to end", () => !isAlive(pid));

    const worktree = join(clawsFile(workspace, "worktrees"), "w1", "work.txt");
    mkdirSync(dirname(worktree), { recursive: true });
    writeFileSync(worktree, "not yet merged");
    const before = snapshot(workspace.cwd);
    const plan = await clawJson(workspace, ["restore", file, "--dry-run"]);
    expect(plan).toMatchObject({ effect: "would_update", files: made["files"], version: expect.any(String) });
    expect((await clawJson(workspace, ["restore", file])).error).toMatchObject({ code: "CONFIRMATION_REQUIRED" });
    expect(snapshot(workspace.cwd)).toEqual(before);
    expect(await clawJson(workspace, ["restore", file, "--yes"])).toMatchObject({ effect: "updated" });
    expect(await sessionsOf(workspace)).toEqual(["one", "two"]);
    expect(readFileSync(worktree, "utf8")).toBe("not yet merged");
    expect(readdirSync(workspace.cwd).filter((name) => name.includes("restore"))).toEqual([]);

    const log = readLog(workspace);
    const numbers = log.filter(({ topic }) => topic === "note.counted").length;
    expect(numbers).toBeGreaterThanOrEqual(acknowledged);
    expect(log.at(-1)?.["sequence"]).toBe(made["sequence"]);
    await startDaemon(workspace);
    const { events, cursor } = await clawJson(workspace, ["events", "--topic", "note.counted", "--limit", "10000"]);
    expect((events as unknown[]).length).toBe(numbers);
    expect(String(cursor ?? "0002:")).toMatch(/^0002:/);
    const { sequence } = await clawJson(workspace, ["publish", "note.next", "{}"]);
    expect(Number(sequence)).toBeGreaterThan(Number(made["sequence"]));
  });

  test("holds no secret, lock or record, restores into an empty folder, and is not replaced unasked", async () => {
    const workspace = createWorkspace();
    const daemon = await startDaemon(workspace, "--require-token");
    await putSessions(workspace, "one");
    putLock(lockFile(workspace, "one"), { pid: 1 });
    await clawJson(workspace, ["backup", fileOf(workspace)]);
    expect((await clawJson(workspace, ["backup", fileOf(workspace)])).error).toMatchObject({
      code: "CONFIRMATION_REQUIRED",
    });
    expect(await clawJson(workspace, ["backup", fileOf(workspace), "--yes"])).toMatchObject({ effect: "updated" });
    const other = createWorkspace();
    const { files, warnings } = await clawJson(other, ["restore", fileOf(workspace)]);
    expect(warnings).toEqual([expect.stringContaining("OTHER_FOLDER")]);
    const tree = Object.keys(snapshot(other.cwd).lasting);
    expect(tree.filter((path) => /\.lock|\.sock|daemon\.json|token/.test(path))).toEqual([]);
    expect(tree).toContain(".claw/sessions/one.jsonl");
    expect(Number(files)).toBeGreaterThan(3);
    const token = readFileSync(secretFile(workspace, "orchestrator.token"), "utf8").trim();
    expect(JSON.stringify(snapshot(other.cwd))).not.toContain(token);
    expect(daemon.token_file).not.toBeNull();
  });

  test("that is killed leaves no file under its name, and the next one removes what it left", async () => {
    const workspace = createWorkspace();
    const sessions = join(workspace.cwd, ".claw", "sessions");
    mkdirSync(sessions, { recursive: true });
    writeFileSync(join(sessions, "big.jsonl"), Buffer.alloc(64 * 1024 * 1024, "0123456789abcdef\n"));
    const folder = dirname(fileOf(workspace));
    const call = beginClaw(workspace, ["backup", fileOf(workspace)]);
    const left = await until("its temporary file", () => readdirSync(folder).find((name) => name.endsWith(".tmp")));
    process.kill(call.pid, "SIGKILL");
    await call.ended;
    expect(existsSync(fileOf(workspace))).toBe(false);
    expect(await clawJson(workspace, ["backup", fileOf(workspace)])).toMatchObject({ effect: "created" });
    expect(existsSync(join(folder, left))).toBe(false);
  });

  test("without a name is written to the user's data folder, and never into itself", async () => {
    const workspace = createWorkspace();
    await putSessions(workspace, "one");
    const { file } = await clawJson(workspace, ["backup"]);
    expect(String(file)).toContain(join(workspace.home, ".local/share/claw/backups/project-"));
    const { error } = await clawJson(workspace, ["backup", ".claw/kept.tar.gz"]);
    expect(error).toMatchObject({ code: "INVALID_OUTPUT_PATH" });
  });
});

describe("a restore", () => {
  /** A workspace with a session, and a backup of another session. */
  async function withBackup(): Promise<{ workspace: Workspace; file: string }> {
    const workspace = createWorkspace();
    await putSessions(workspace, "old");
    const source = createWorkspace();
    await putSessions(source, "new");
    await clawJson(source, ["backup", fileOf(workspace)]);
    return { workspace, file: fileOf(workspace) };
  }

  test.each([
    ["a text", Buffer.from("no backup")],
    ["no bytes", Buffer.alloc(0)],
    ["a gzip file of nothing", gzipSync("")],
    ["a path out of the folder", pack([["../evil", "x"]])],
    ["a path through a parent", pack([[".claw/../evil", "x"]])],
    ["an absolute path", pack([["/tmp/evil", "x"]])],
    ["a file of the project", pack([["package.json", "x"]])],
    ["a symbolic link", pack([[".claw/link", "", headerOfType(".claw/link", "2")]])],
    ["a hard link", pack([[".claw/link", "", headerOfType(".claw/link", "1")]])],
    ["a folder", pack([[".claw/folder", "", headerOfType(".claw/folder", "5")]])],
    [
      "a file twice",
      pack([
        [".claw/a", "x"],
        [".claw/a", "x"],
      ]),
    ],
    [
      "a file and a folder of one name",
      pack([
        [".claw/a", "x"],
        [".claw/a/b", "x"],
      ]),
    ],
    ["a file that is not listed", pack([[".claw/a", "x"]], { files: [] })],
    ["a list without its fields", pack([[".claw/a", "x"]], { version: 7 })],
    ["a size beyond all limits", gzipSync(headerOf(".claw/huge", 2 ** 52))],
    ["a list beyond all limits", gzipSync(headerOf("claw-backup.json", 2 ** 40))],
  ])("refuses %s, and changes nothing", async (_what, bytes) => {
    const workspace = createWorkspace();
    await putSessions(workspace, "old");
    writeFileSync(fileOf(workspace), bytes);
    const before = snapshot(dirname(workspace.cwd));
    const { error } = await clawJson(workspace, ["restore", fileOf(workspace), "--yes"]);
    expect(error?.code).toMatch(/^(BACKUP_INVALID|FILESYSTEM_ERROR)$/);
    expect(snapshot(dirname(workspace.cwd))).toEqual(before);
  });

  test("refuses a backup that was cut off or changed anywhere, and one of a newer version", async () => {
    const { workspace, file } = await withBackup();
    const whole = readFileSync(file);
    const before = snapshot(workspace.cwd);
    for (const size of [1, 100, whole.length - 20]) {
      truncateSync(file, size);
      expect((await clawJson(workspace, ["restore", file, "--yes"])).error).toMatchObject({ code: "BACKUP_INVALID" });
      writeFileSync(file, whole);
    }
    writeFileSync(file, pack([[".claw/a", "x"]], { backup: 2 }));
    expect((await clawJson(workspace, ["restore", file, "--yes"])).error).toMatchObject({ code: "FORMAT_UNSUPPORTED" });
    writeFileSync(file, pack([[".claws/log/meta.json", '{"version":2,"epoch":"0001"}']]));
    expect((await clawJson(workspace, ["restore", file, "--yes"])).error).toMatchObject({ code: "FORMAT_UNSUPPORTED" });
    expect(snapshot(workspace.cwd)).toEqual(before);
  });

  test("refuses a folder with a daemon, a held session, or a link in place of a folder", async () => {
    const { workspace, file } = await withBackup();
    putLock(lockFile(workspace, "old"));
    expect((await clawJson(workspace, ["restore", file, "--yes"])).error).toMatchObject({ code: "SESSION_LOCKED" });
    await startDaemon(workspace);
    expect((await clawJson(workspace, ["restore", file, "--yes"])).error).toMatchObject({ code: "DAEMON_RUNNING" });
    const other = createWorkspace();
    symlinkSync(workspace.home, join(other.cwd, ".claw"));
    expect((await clawJson(other, ["restore", file, "--yes"])).error).toMatchObject({ code: "FILESYSTEM_ERROR" });
  });

  test("that is killed while it unpacks leaves the old state, and the next one succeeds", async () => {
    const { workspace, file } = await withBackup();
    const big = Buffer.alloc(64 * 1024 * 1024, "0123456789abcdef\n").toString("latin1");
    writeFileSync(
      file,
      pack([
        [".claw/sessions/big.txt", big],
        [".claw/second", "x"],
      ]),
    );
    const before = snapshot(join(workspace.cwd, ".claw"));
    const call = beginClaw(workspace, ["restore", file, "--yes"]);
    await until("the first file", () => existsSync(join(workspace.cwd, ".claw-restore/new/.claw/sessions/big.txt")));
    process.kill(call.pid, "SIGKILL");
    await call.ended;
    expect(snapshot(join(workspace.cwd, ".claw"))).toEqual(before);
    expect(await clawJson(workspace, ["restore", file, "--yes"])).toMatchObject({ effect: "updated" });
    expect(existsSync(join(workspace.cwd, ".claw/second"))).toBe(true);
    expect(existsSync(join(workspace.cwd, ".claw-restore"))).toBe(false);
  });

  test("that was decided and cut off is named by other commands, and finished by claw up", async () => {
    const { workspace } = await withBackup();
    const stage = join(workspace.cwd, ".claw-restore");
    for (const name of ["new/.claw/sessions", "old"]) mkdirSync(join(stage, name), { recursive: true });
    writeFileSync(join(stage, "new/.claw/settings.json"), "{}");
    writeFileSync(join(stage, "decided"), "");
    for (const args of [["list-sessions"], ["ps"], ["backup"]]) {
      const { error, hint } = await clawJson(workspace, args);
      expect([error, hint]).toMatchObject([{ code: "FILESYSTEM_ERROR" }, expect.stringContaining("claw up")]);
    }
    expect(await clawJson(workspace, ["version"])).toMatchObject({ exit_code: 0 });
    onTestFinished(() => clawJson(workspace, ["down"]).then(() => undefined));
    expect(await clawJson(workspace, ["up"])).toMatchObject({
      effect: "created",
      warnings: [expect.stringContaining("RESTORE_FINISHED")],
    });
    expect(await sessionsOf(workspace)).toEqual([]);
    expect(existsSync(stage)).toBe(false);
  });
});
