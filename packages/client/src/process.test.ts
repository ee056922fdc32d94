import { spawn } from "node:child_process";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { expect, onTestFinished, test } from "vitest";
import { until } from "../../claw/src/process/testing/until.ts";
import { onLines } from "../../claw/src/process/testing/json-lines.ts";
import { temporaryFolder } from "../../claw/src/files/testing/temporary-folder.ts";
import { connectObserver } from "./create-client.ts";
import { startUnixBus } from "./testing/real-bus.ts";
import { takeEvents } from "./testing/take.ts";

const source = fileURLToPath(new URL(".", import.meta.url));

/** Runs a program of its own that uses this package, with the socket as its argument. */
async function start(program: string, socket: string) {
  const folder = temporaryFolder(onTestFinished);
  const outfile = join(folder, "program.mjs");
  const imports = `import { connectOrchestrator, connectWorker } from "claw-client";
import { unixChannel } from "claw-client/node";
const channel = unixChannel(process.argv[2]);\n`;
  const stdin = { contents: imports + program, resolveDir: source, loader: "ts" as const };
  await build({ stdin, outfile, bundle: true, format: "esm", platform: "node", logLevel: "error" });
  const child = spawn(process.execPath, [outfile, socket], { stdio: ["ignore", "pipe", "inherit"] });
  const lines: string[] = [];
  onLines(child.stdout, (line) => void lines.push(line));
  const ended = new Promise<{ exitCode: number | null; lines: string[] }>((resolve) => {
    child.on("close", (exitCode) => resolve({ exitCode, lines }));
  });
  onTestFinished(async () => {
    child.kill("SIGKILL");
    await ended;
  });
  const said = (line: string) => until(line, () => lines.includes(line));
  return { child, ended, said };
}

test("a process ends by itself once its clients are closed, whatever they were doing", async () => {
  const bus = await startUnixBus();
  const program = `
    const worker = connectWorker({ channel, name: "audit" });
    await worker.boot({ model: "m", mission_summary: "audit", cwd: "/" });
    const waiting = worker.ask({ message: "anybody?", timeoutMs: 3_600_000 }).catch((error) => error.code);
    const commands = worker.commands().next();
    await worker.flush();
    const lost = connectOrchestrator({ channel: unixChannel("/nowhere/claws.sock"), name: "lost" });
    lost.subscribe("**").next();
    await Promise.all([worker.close(), lost.close()]);
    console.log(await waiting, (await commands).done);
  `;
  const { ended } = await start(program, bus.path);
  expect(await ended).toEqual({ exitCode: 0, lines: ["BUS_CLOSED true"] });
});

test("a process lives as long as something waits for the bus, and goes on when that comes", async () => {
  const bus = await startUnixBus();
  await bus.stop();
  const program = `
    const client = connectOrchestrator({ channel, name: "main" });
    const published = client.pause("p_000009");
    console.log("waiting");
    console.log((await published).duplicate);
    await client.close();
  `;
  const { ended, said } = await start(program, bus.path);
  await said("waiting");
  await bus.start();
  expect(await ended).toEqual({ exitCode: 0, lines: ["waiting", "false"] });
});

test("a worker whose process is killed leaves a crash behind, and one that says its last will a reason", async () => {
  const bus = await startUnixBus();
  const observer = connectObserver({ channel: bus.channel, name: "watch" });
  onTestFinished(() => observer.close());
  const left = observer.subscribe("system.peer.left");
  await left.ready();
  const program = `
    const worker = connectWorker({ channel, name: "audit" });
    await worker.boot({ model: "m", mission_summary: "audit", cwd: "/" });
    process.on("SIGTERM", async () => {
      await worker.fatal("told to stop");
      await worker.close();
    });
    console.log("up");
  `;
  for (const [signal, reason] of [
    ["SIGKILL", "crash"],
    ["SIGTERM", "clean"],
  ] as const) {
    const { child, said, ended } = await start(program, bus.path);
    await said("up");
    child.kill(signal);
    await ended;
    expect((await takeEvents(left, 1))[0]?.data).toMatchObject({ role: "worker", reason });
  }
});
