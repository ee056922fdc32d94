import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { CLIENT_LIMITS } from "claw-contract";
import { onTestFinished, expect, test } from "vitest";
import { build } from "esbuild";
import { WebSocket } from "ws";
import { temporaryFolder } from "../../claw/src/files/testing/temporary-folder.ts";
import { connectObserver } from "./create-client.ts";
import { connectOrchestrator } from "./orchestrator/connect-orchestrator.ts";
import type { UnixBus } from "./testing/real-bus.ts";
import { startUnixBus } from "./testing/real-bus.ts";
import { takeEvents } from "./testing/take.ts";
import { connectWorker } from "./worker/connect-worker.ts";

const source = fileURLToPath(new URL(".", import.meta.url));
const readme = readFileSync(join(source, "../README.md"), "utf8");
const examples = [...readme.matchAll(/^```ts\n(.*?)^```$/gms)].map(([, code = ""]) => code);

/** Runs an example as a program of its own would run, with the names it leaves open. Resolves with what it printed. */
async function run(code: string, given: Readonly<Record<string, unknown>>): Promise<unknown[][]> {
  const folder = temporaryFolder(onTestFinished);
  const imports = code.match(/^import .*$/gm)?.join("\n") ?? "";
  const contents = `${imports}
export async function example({ ${Object.keys(given).join(", ")} }, console) {
${code.replaceAll(/^import .*\n/gm, "")}
}`;
  const outfile = join(folder, "example.mjs");
  const stdin = { contents, resolveDir: source, loader: "ts" as const };
  await build({ stdin, outfile, bundle: true, format: "esm", platform: "node", logLevel: "error" });
  const { example } = (await import(/* @vite-ignore */ pathToFileURL(outfile).href)) as {
    example: (given: unknown, console: unknown) => Promise<void>;
  };
  const printed: unknown[][] = [];
  await example(given, { log: (...values: unknown[]) => void printed.push(values) });
  return printed;
}

/** Another client of the same bus, closed when the test ends. */
function other<Client extends { close(): Promise<void> }>(client: Client): Client {
  onTestFinished(() => client.close());
  return client;
}

const watch = ({ channel }: UnixBus) => other(connectObserver({ channel, name: "watch" }));
const command = ({ channel }: UnixBus) => other(connectOrchestrator({ channel, name: "main" }));

test("README has the examples that are tested here", () => {
  expect(examples).toHaveLength(8);
});

test("README gives the limits as they are", () => {
  const { spoolEvents, spoolBytes, bufferedEvents, bufferedBytes, retryFirstMs, retryMostMs } = CLIENT_LIMITS;
  const megabytes = (bytes: number): string => `${bytes / 1024 / 1024} MB`;
  const thousands = `${spoolEvents}`.replace(/(\d)(?=\d{3}$)/, "$1 ");
  expect(readme).toContain(`${thousands} events or ${megabytes(spoolBytes)} without a receipt`);
  expect(readme).toContain(`up to ${bufferedEvents} events or ${megabytes(bufferedBytes)} wait`);
  expect(readme).toContain(`after ${retryFirstMs / 2}–${retryFirstMs} ms, doubling to ${retryMostMs / 1000} s`);
});

test("the worker's example", async () => {
  const bus = await startUnixBus();
  const events = watch(bus).subscribe("worker.**", { from: "0000:0" });
  const running = run(examples[0] ?? "", { socketPath: bus.path });
  const [boot, phase, question] = await takeEvents(events, 3);
  const { request_id } = (question as { data: { request_id: string } }).data;
  await command(bus).approve(String(question?.from), request_id, { chosen: "B" });
  await running;
  const [decision, complete] = await takeEvents(events, 2);
  expect([boot, phase, question, decision, complete].map((event) => event?.topic.split(".")[2])).toEqual([
    "boot",
    "phase",
    "event",
    "event",
    "complete",
  ]);
  expect(decision?.data).toMatchObject({ kind: "DECISION", message: "patching" });
});

test("the example of a worker that goes down", async () => {
  const bus = await startUnixBus();
  const events = watch(bus).subscribe("worker.**", { from: "0000:0" });
  const running = run(examples[1] ?? "", { socketPath: bus.path });
  const [boot] = await takeEvents(events, 1);
  await command(bus).abort(String(boot?.from), "enough");
  await running;
  const [, fatal] = await takeEvents(events, 2);
  expect(fatal?.data).toMatchObject({ severity: "fatal", message: "aborted: enough" });
});

test("the orchestrator's example", async () => {
  const bus = await startUnixBus();
  const worker = other(connectWorker({ channel: bus.channel, name: "audit" }));
  const asked = worker.ask({ message: "rewrite or patch?" });
  await worker.phase("PLAN", "begin");
  const printed = await run(examples[2] ?? "", { socketPath: bus.path });
  expect(await asked).toMatchObject({ approved: true, payload: { chosen: "B" } });
  expect(printed).toEqual([[expect.stringMatching(/^answered at 0001:\d+$/)], [worker.peerId(), "PLAN", "working"]]);
});

test("the observer's example", async () => {
  const bus = await startUnixBus();
  await command(bus).pause("p_000007");
  const printed = await run(examples[3] ?? "", { socketPath: bus.path });
  expect(printed.map(([, topic]) => topic)).toEqual(
    expect.arrayContaining(["system.peer.joined", "cmd.p_000007.pause"]),
  );
});

test("the example of work that must not be lost, in two processes after each other", async () => {
  const bus = await startUnixBus();
  const complete = async (summary: string): Promise<string> => {
    const worker = other(connectWorker({ channel: bus.channel, name: summary }));
    await worker.boot({ model: "m", mission_summary: summary, cwd: "/" });
    await worker.complete({ summary });
    return `${worker.peerId()}: ${summary}`;
  };
  const first = [await complete("audited"), await complete("patched")];
  expect((await run(examples[4] ?? "", { socketPath: bus.path })).flat()).toEqual(first);
  const second = [await complete("released")];
  expect((await run(examples[4] ?? "", { socketPath: bus.path })).flat()).toEqual(second);
});

test("the browser's example", async () => {
  const { url, token } = await (await startUnixBus()).serveWeb();
  const printed = await run(examples[5] ?? "", { url, fetchToken: async () => token, WebSocket });
  expect(printed.flat()).toEqual(expect.arrayContaining(["open", "system.peer.joined", "closed"]));
});

test("without its token the browser is refused", async () => {
  const { url } = await (await startUnixBus()).serveWeb();
  await expect(run(examples[5] ?? "", { url, fetchToken: () => "wrong", WebSocket })).rejects.toMatchObject({
    code: "TOKEN_INVALID",
  });
});

test("the example of a worker over the network", async () => {
  const bus = await startUnixBus();
  const events = watch(bus).subscribe("worker.**", { from: "0000:0" });
  const { url, token } = await bus.serveWeb({ role: "worker" });
  await run(examples[6] ?? "", { url, fetchToken: async () => token, WebSocket });
  const [boot] = await takeEvents(events, 1);
  expect(boot).toMatchObject({ data: { mission_summary: "Run the checks" } });
});

test("the example of a failure", async () => {
  const bus = await startUnixBus();
  expect(await run(examples[7] ?? "", { socketPath: bus.path })).toEqual([["BUS_UNREACHABLE", true]]);
});
