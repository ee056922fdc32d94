import { spawn } from "node:child_process";
import { lstatSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Writable } from "node:stream";
import { describe, expect, onTestFinished, test } from "vitest";
import { jsonLines } from "../../packages/claw/src/process/testing/json-lines.ts";
import { until } from "../../packages/claw/src/process/testing/until.ts";
import {
  lockFile,
  preload,
  processStat,
  putLock,
  refused,
  runShell,
  seed,
  sessionFile,
  sessionsFolder,
  snapshot,
  textOf,
} from "./provocations.ts";
import { clawJson } from "./run-claw.ts";
import type { Workspace } from "./workspace.ts";
import { createWorkspace } from "./workspace.ts";

const store = (workspace: Workspace, prompt: string, id = "s") =>
  clawJson(workspace, ["flush-transcript", prompt, "--session-id", id]);

type Line = Record<string, unknown> & { type: string; turn_id?: string; totals?: { messages: number } };

const linesOf = (workspace: Workspace, id: string): Line[] =>
  jsonLines<Line>(readFileSync(sessionFile(workspace, id), "utf8"));

/** Every message is followed by the commit of its turn, which counts one more than the last. */
function expectNoInterleaving(lines: readonly Line[], messages: number): void {
  expect(lines[0]?.type).toBe("session_meta");
  expect(lines.filter(({ type }) => type === "session_meta")).toHaveLength(1);
  const turns = lines.slice(1);
  expect(turns).toHaveLength(messages * 2);
  for (let index = 0; index < messages; index += 1) {
    const [message, commit] = turns.slice(index * 2, index * 2 + 2);
    expect([message?.type, commit?.type]).toEqual(["message", "turn_commit"]);
    expect(commit?.turn_id).toBe(message?.turn_id);
    expect(commit?.totals?.messages).toBe(index + 1);
  }
  expect(new Set(turns.map(({ turn_id }) => turn_id)).size).toBe(messages);
}

describe("many writers", () => {
  test("eight processes with five prompts each make forty messages, one behind the other", async () => {
    const workspace = createWorkspace();
    const worker = async (name: number): Promise<void> => {
      for (let round = 0; round < 5; round += 1) {
        expect(await store(workspace, `worker ${name} prompt ${round}`)).toMatchObject({ flushed: true });
      }
    };
    await Promise.all([0, 1, 2, 3].map(worker));
    await Promise.all([4, 5, 6, 7].map(worker));
    const lines = linesOf(workspace, "s");
    expectNoInterleaving(lines, 40);
    for (let name = 0; name < 8; name += 1) {
      const own = lines.map((line) => JSON.stringify(line)).filter((line) => line.includes(`worker ${name} `));
      expect(own.map((line) => /prompt (\d)/.exec(line)?.[1])).toEqual(["0", "1", "2", "3", "4"]);
    }
    const loaded = await clawJson(workspace, ["load-session", "s"]);
    const { sessions } = await clawJson(workspace, ["list-sessions"]);
    expect(loaded).toMatchObject({ messages_count: 40, prompt_count: 40, turns_count: 40, uncommitted_count: 0 });
    expect(sessions).toMatchObject([{ id: "s", message_count: 40, prompt_count: 40, stopped: true }]);
    expect(snapshot(workspace.cwd).transient).toEqual([]);
  });

  test("processes that make the same session at once share it", async () => {
    const workspace = createWorkspace();
    for (let round = 0; round < 5; round += 1) {
      const bodies = await Promise.all(["a", "b", "c"].map((prompt) => store(workspace, prompt, `s${round}`)));
      expect(bodies.map(({ effect }) => String(effect)).toSorted()).toEqual(["created", "updated", "updated"]);
      expectNoInterleaving(linesOf(workspace, `s${round}`), 3);
    }
  });

  test("processes without an id never meet", async () => {
    const workspace = createWorkspace();
    const bodies = await Promise.all([1, 2, 3, 4].map(() => clawJson(workspace, ["flush-transcript", "hello"])));
    expect(new Set(bodies.map(({ session_id }) => session_id)).size).toBe(4);
  });

  test("the same key at the same time is one call", async () => {
    const workspace = createWorkspace();
    const args = ["flush-transcript", "once", "--session-id", "s", "--idempotency-key", "k"];
    const bodies = await Promise.all([1, 2, 3, 4].map(() => clawJson(workspace, args)));
    expect(bodies.map(({ effect }) => String(effect)).toSorted()).toEqual(["created", "noop", "noop", "noop"]);
    expectNoInterleaving(linesOf(workspace, "s"), 1);
  });

  test("processes that prepare the same folder at once all succeed", async () => {
    for (let round = 0; round < 6; round += 1) {
      const workspace = createWorkspace();
      const bodies = await Promise.all([1, 2, 3].map(() => clawJson(workspace, ["init"])));
      expect(bodies.map((body) => body.error?.code)).toEqual([undefined, undefined, undefined]);
      expect(snapshot(workspace.cwd).transient).toEqual([]);
    }
  });
});

describe("deleting", () => {
  test("exactly one of two deletes wins, and the other finds nothing", async () => {
    for (let round = 0; round < 5; round += 1) {
      const workspace = createWorkspace();
      await seed(workspace, "s");
      const bodies = await Promise.all([1, 2, 3].map(() => clawJson(workspace, ["delete-session", "s"])));
      const codes = bodies.map((body) => body.error?.code ?? "deleted").toSorted();
      expect(codes).toEqual(["SESSION_NOT_FOUND", "SESSION_NOT_FOUND", "deleted"]);
      expect(readdirSync(sessionsFolder(workspace))).toEqual([]);
    }
  });

  test("while others append leaves either no session or a whole one", async () => {
    const workspace = createWorkspace();
    const append = async (): Promise<void> => {
      for (let round = 0; round < 6; round += 1) {
        expect(await store(workspace, `prompt ${round}`)).toMatchObject({ flushed: true });
      }
    };
    const remove = async (): Promise<void> => {
      for (let round = 0; round < 6; round += 1) {
        const body = await clawJson(workspace, ["delete-session", "s"]);
        expect(body.error?.code ?? "deleted").toMatch(/^(deleted|SESSION_NOT_FOUND)$/);
      }
    };
    const read = async (): Promise<void> => {
      for (let round = 0; round < 6; round += 1) {
        const loaded = await clawJson(workspace, ["load-session", "s"]);
        expect(loaded.error?.code ?? "loaded").toMatch(/^(loaded|SESSION_NOT_FOUND)$/);
        const latest = await clawJson(workspace, ["export", "--session-id", "latest"]);
        expect(latest.error?.code ?? "exported").toMatch(/^(exported|NO_SESSIONS|SESSION_NOT_FOUND)$/);
        expect(await clawJson(workspace, ["list-sessions"])).toMatchObject({ exit_code: 0 });
      }
    };
    await Promise.all([append(), append(), remove(), read()]);
    await store(workspace, "the end");
    const lines = linesOf(workspace, "s");
    expectNoInterleaving(lines, (lines.length - 1) / 2);
    expect(snapshot(workspace.cwd).transient).toEqual([]);
  });
});

describe("what others do in between", () => {
  test.for(["load-session s", "load-session latest", "export --session-id s", "flush-transcript --session-id s"])(
    "a session that goes away while it is opened was not there: %s",
    async (line) => {
      const workspace = createWorkspace();
      const path = await seed(workspace, "s");
      const env = preload(
        workspace,
        `const fs = require("node:fs"), open = fs.openSync;
         fs.openSync = (path, ...rest) => {
           if (path === ${JSON.stringify(path)}) fs.rmSync(path, { force: true });
           return open(path, ...rest);
         };`,
      );
      const error = await refused(workspace, line.split(" "), { env });
      expect(error.code).toMatch(/^(SESSION_NOT_FOUND|NO_SESSIONS)$/);
    },
  );

  test("a file that somebody else makes while init makes it is there, and init succeeds", async () => {
    const workspace = createWorkspace();
    const env = preload(
      workspace,
      `const fs = require("node:fs"), link = fs.linkSync;
       fs.linkSync = (from, to) => {
         if (!fs.existsSync(to)) fs.writeFileSync(to, "{}");
         return link(from, to);
       };`,
    );
    expect(await clawJson(workspace, ["init"], { env })).toMatchObject({ exit_code: 0 });
    expect(readFileSync(join(workspace.cwd, ".claw", "settings.json"), "utf8")).toBe("{}");
    expect(snapshot(workspace.cwd).transient).toEqual([]);
  });
});

describe("locks of others", () => {
  /** A process that has ended and was waited for by nobody. */
  async function zombie(): Promise<number> {
    // The child ends only once its parent has become a program that waits for nobody.
    const parent = spawn("/bin/sh", ["-c", "(read line) <&3 & echo $!; exec sleep 60 3<&-"], {
      stdio: ["ignore", "pipe", "ignore", "pipe"],
    });
    onTestFinished(() => void parent.kill("SIGKILL"));
    const pid = await new Promise<number>((resolve) => {
      parent.stdout?.once("data", (chunk: Buffer) => resolve(Number(chunk.toString())));
    });
    await until("the parent to sleep", () => textOf(`/proc/${parent.pid}/comm`) === "sleep\n");
    (parent.stdio[3] as Writable).end("\n");
    await until("the zombie to be one", () => processStat(pid).state === "Z");
    return pid;
  }

  test("a dead process's lock is taken over", async () => {
    const workspace = createWorkspace();
    await seed(workspace, "s");
    const { pid = 0 } = await new Promise<{ pid?: number | undefined }>((resolve) => {
      const child = spawn("true");
      child.on("exit", () => resolve(child));
    });
    putLock(lockFile(workspace, "s"), { pid, started: "1" });
    expect(await store(workspace, "more")).toMatchObject({ messages_count: 2 });
    expect(snapshot(workspace.cwd).transient).toEqual([]);
  });

  test.skipIf(process.platform !== "linux")("a zombie's lock is taken over (needs /proc)", async () => {
    const workspace = createWorkspace();
    await seed(workspace, "s");
    putLock(lockFile(workspace, "s"), { pid: await zombie() });
    const { sessions } = await clawJson(workspace, ["list-sessions"]);
    expect(sessions).toMatchObject([{ stopped: true }]);
    expect(await store(workspace, "more")).toMatchObject({ messages_count: 2 });
    expect(snapshot(workspace.cwd).transient).toEqual([]);
  });

  test.skipIf(process.platform !== "linux")(
    "the lock of a process whose number lives on in another is taken over (needs /proc)",
    async () => {
      const workspace = createWorkspace();
      await seed(workspace, "s");
      putLock(lockFile(workspace, "s"), { pid: process.pid, started: "1" });
      expect(await store(workspace, "more")).toMatchObject({ messages_count: 2 });
    },
  );

  test("many processes that find the same dead lock get it one after the other", async () => {
    const workspace = createWorkspace();
    for (let round = 0; round < 4; round += 1) {
      putLock(lockFile(workspace, `s${round}`), { pid: 2 ** 22 + 1, started: "1" });
      await Promise.all(["a", "b", "c", "d"].map((prompt) => store(workspace, prompt, `s${round}`)));
      expectNoInterleaving(linesOf(workspace, `s${round}`), 4);
    }
    expect(snapshot(workspace.cwd).transient).toEqual([]);
  });

  test("a living process and one of another host are both waited for", async () => {
    const workspace = createWorkspace();
    await Promise.all(["own", "far"].map((id) => seed(workspace, id)));
    putLock(lockFile(workspace, "own"));
    putLock(lockFile(workspace, "far"), { pid: 1, started: "1", host: "elsewhere.example" });
    const { sessions } = await clawJson(workspace, ["list-sessions"]);
    expect(sessions).toMatchObject([{ stopped: false }, { stopped: false }]);
    const calls = ["own", "far"].flatMap((id) => [
      ["flush-transcript", "x", "--session-id", id],
      ["delete-session", id],
    ]);
    for (const error of await Promise.all(calls.map((args) => refused(workspace, args)))) {
      expect(error).toMatchObject({ code: "SESSION_LOCKED", retryable: true, retry_after: 5 });
      expect(error["lock_path"]).toMatch(/\.lock$/);
    }
  });

  test("a session that another process holds can be read", async () => {
    const workspace = createWorkspace();
    await seed(workspace, "s");
    putLock(lockFile(workspace, "s"));
    expect(await clawJson(workspace, ["load-session", "s"])).toMatchObject({ messages_count: 1, stopped: false });
    expect(await clawJson(workspace, ["export", "--session-id", "s"])).toMatchObject({ messages: 1 });
  });
});

describe("modes", () => {
  test.for(["000", "022", "077"])("with umask %s files are 0600 and folders 0700", async (umask) => {
    const workspace = createWorkspace();
    const script = `umask ${umask}
      claw flush-transcript "$1" --session-id s --idempotency-key k &&
      claw export notes.md --session-id s && CLAW_MAX_OUTPUT_BYTES=3000 claw export --session-id s`;
    const { exitCode, stderr } = await runShell(workspace, script, { words: ["x".repeat(5000)] });
    expect({ exitCode, stderr }).toMatchObject({ exitCode: 0 });
    const paths = readdirSync(workspace.cwd, { recursive: true, withFileTypes: true });
    const modes = paths.map((entry) => {
      const path = join(entry.parentPath, entry.name);
      return [path, entry.isDirectory(), (lstatSync(path).mode & 0o777).toString(8)] as const;
    });
    expect(modes.length).toBeGreaterThan(5);
    expect(modes.filter(([, folder, mode]) => mode !== (folder ? "700" : "600"))).toEqual([]);
  });
});
