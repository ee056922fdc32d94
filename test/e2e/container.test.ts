import { once } from "node:events";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { temporaryFolder } from "../../packages/claw/src/files/testing/temporary-folder.ts";
import type { Container, ContainerPlace, Image } from "./container-scene.ts";
import { buildImage, runContainer } from "./container-scene.ts";

const DOCKERFILE = fileURLToPath(new URL("../../docs/Dockerfile", import.meta.url));

/** What runs at the end of the file, latest first. */
const ends: (() => void)[] = [];
const atEnd = (end: () => void): void => void ends.unshift(end);
afterAll(() => ends.forEach((end) => end()));

const built: { image?: Image } = {};
beforeAll(async () => {
  built.image = await buildImage(DOCKERFILE, temporaryFolder(atEnd), atEnd);
});

const image = (): Image => {
  if (built.image === undefined) throw new Error("the image was not built");
  return built.image;
};

const newPlace = (): ContainerPlace => ({ volumes: temporaryFolder(onTestFinished), hostname: "claw-box" });

function start(place = newPlace(), argv?: readonly string[]): Container {
  const container = runContainer(image(), place, argv);
  onTestFinished(container.kill);
  return container;
}

const jsonOf = (text: string): Record<string, unknown> => JSON.parse(text) as Record<string, unknown>;

/** A container whose daemon lets clients in. */
async function startDaemon(place = newPlace()): Promise<Container> {
  const container = start(place);
  await expect
    .poll(() => readFileSync(join(place.volumes, "workspace/.claws/daemon.json"), "utf8"))
    .toContain("socket");
  return container;
}

const clawIn = (container: Container, ...args: string[]): Record<string, unknown> =>
  jsonOf(container.exec("claw", ...args, "--output-format", "json").stdout);

/** Starts a process whose parent ends at once. Returns its id in the container. */
const leaveOrphan = (container: Container): string =>
  container.exec("sh", "-c", "sleep 600 > /dev/null 2>&1 & echo $!").stdout.trim();

/** The parent and the state of a process; empty when the process is gone. */
const stateOf = (container: Container, pid: string): string =>
  container.exec("ps", "-o", "ppid=,state=", "-p", pid).stdout.trim();

describe("a daemon in a container", () => {
  test("runs as a user without rights, on read-only files, and writes its volumes only", async () => {
    const container = await startDaemon();
    const script = "id -u; touch /workspace/a && echo work; touch /usr/a || touch /etc/a || echo no more";
    expect(container.exec("sh", "-c", script).stdout).toBe("1000\nwork\nno more\n");
    expect(container.exec("cat", "/proc/1/cmdline").stdout).toContain("init.sh");
  });

  test("starts workers, which finish, and says that commands of agents have no sandbox", async () => {
    const container = await startDaemon();
    const spawned = clawIn(
      container,
      "spawn",
      "--harness",
      "fake",
      "--scenario",
      "text",
      "--wait",
      "complete",
      "hello",
    );
    expect(spawned).toMatchObject({ exit_code: 0, state: "finished" });
    expect(clawIn(container, "status")).toMatchObject({
      daemon: { socket: "/workspace/.claws/claws.sock" },
      sandbox: { active: false, kind: null, reason: "bubblewrap is not installed" },
    });
    const { checks } = clawIn(container, "doctor") as { checks: { id: string }[] };
    expect(checks.find(({ id }) => id === "sandbox")).toMatchObject({
      status: "warn",
      summary: "commands of the agent run without a sandbox: bubblewrap is not installed",
    });
    expect(clawIn(container, "exec-tool", "bash", '{"command":"node made.js"}')).toMatchObject({
      error: { code: "PERMISSION_DENIED" },
    });
  });

  test("opens terminals", async () => {
    const container = await startDaemon();
    const { terminal_id: id } = clawIn(container, "terminal", "create") as { terminal_id: string };
    const answer = clawIn(container, "terminal", "exec", id, "echo in-$(id -u)");
    expect(answer).toMatchObject({ exit_code: 0 });
    expect(JSON.stringify(answer)).toContain("in-1000");
  });

  test("collects processes that lose their parents", async () => {
    const container = await startDaemon();
    const orphan = leaveOrphan(container);
    expect(stateOf(container, orphan)).toBe("1 S");
    container.exec("kill", orphan);
    await expect.poll(() => stateOf(container, orphan)).toBe("");
  });

  test.each(["SIGTERM", "SIGINT"] as const)(
    "ends when its container gets %s, and leaves nothing that hinders the next",
    async (signal) => {
      const place = newPlace();
      const container = await startDaemon(place);
      process.kill(container.first(), signal);
      expect(await container.ended).toMatchObject({ exitCode: 0, signal: null });
      const next = await startDaemon({ ...place, hostname: "another-box" });
      expect(clawIn(next, "ps")).toMatchObject({ exit_code: 0 });
    },
  );

  test("lets its workers report when its container is stopped, and keeps their work for the next", async () => {
    const place = newPlace();
    const container = await startDaemon(place);
    container.exec("sh", "-c", "git init -q . && git -c user.name=n -c user.email=e commit -q --allow-empty -m first");
    const asks = { type: "permission", tool: "Bash", input: { command: "true" } };
    const writes = { type: "tool", name: "Bash", input: { command: "save" }, runs: "echo work > kept.txt" };
    writeFileSync(join(place.volumes, "workspace/scenario.json"), JSON.stringify({ steps: [writes, asks] }));
    const flags = ["--harness", "fake", "--scenario", "scenario.json", "--worktree", "--name", "asker"];
    expect(clawIn(container, "spawn", ...flags, "save, then ask")).toMatchObject({ exit_code: 0 });
    expect(clawIn(container, "wait", "asker", "--for", "needs-input")).toMatchObject({ exit_code: 0 });
    expect(clawIn(container, "terminal", "create")).toMatchObject({ exit_code: 0 });
    process.kill(container.first(), "SIGTERM");
    expect(await container.ended).toMatchObject({
      exitCode: 0,
      stdout: expect.stringContaining("Stopped 1 worker: asker") as string,
    });
    const next = await startDaemon(place);
    const { workers } = clawIn(next, "ps", "--all") as { workers: { worktree: { path: string } }[] };
    expect(workers).toMatchObject([{ name: "asker", state: "aborted" }]);
    expect(next.exec("cat", join(workers[0]?.worktree.path ?? "", "kept.txt")).stdout).toBe("work\n");
    expect(clawIn(next, "restart", "asker")).toMatchObject({ exit_code: 0, attempt: 2 });
  });

  test("that was killed is followed by one in a container of the same name", async () => {
    const place = newPlace();
    const killed = await startDaemon(place);
    const startedAt = (container: Container): unknown =>
      (clawIn(container, "status")["daemon"] as { started_at: string } | null)?.started_at;
    const before = startedAt(killed);
    await killed.kill();
    const next = start(place);
    await expect.poll(() => next.first()).toBeGreaterThan(0);
    await expect.poll(() => startedAt(next)).toEqual(expect.any(String));
    expect(startedAt(next)).not.toBe(before);
  });
});

describe("a call in a container", () => {
  test("reads its input, answers on its output, and gives its exit code to the container", async () => {
    const container = start(newPlace(), ["-p", "--model", "scripted", "--output-format", "json"]);
    container.child.stdin.end("say hello");
    const { exitCode, stdout, stderr } = await container.ended;
    expect([exitCode, stderr, jsonOf(stdout)]).toMatchObject([
      0,
      "",
      { exit_code: 0, message: expect.any(String) as string },
    ]);
    const wrong = await start(newPlace(), ["statuz"]).ended;
    expect([wrong.exitCode, wrong.stderr.split("\n")[0]]).toEqual([1, expect.stringContaining("statuz")]);
  });

  test("is refused as process 1 when it would be the daemon, since Node would collect no process", async () => {
    const { exitCode, stderr } = await start(newPlace(), ["sh", "-c", "exec claw up --foreground"]).ended;
    expect([exitCode, stderr]).toEqual([1, expect.stringContaining("docker run --init")]);
  });
});

test("without the init, a process that lost its parent stays as a zombie", async () => {
  const wait = "console.log('on'); setInterval(() => {}, 1000)";
  const container = start(newPlace(), ["sh", "-c", `exec node -e "${wait}"`]);
  // Before it prints, process 1 is the shell that makes the mounts, and a shell collects processes.
  await once(container.child.stdout, "data");
  const orphan = leaveOrphan(container);
  container.exec("kill", orphan);
  await expect.poll(() => stateOf(container, orphan)).toBe("1 Z");
});
