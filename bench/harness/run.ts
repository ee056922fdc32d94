import { spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, openSync, readFileSync, writeFileSync, writeSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { CACHE_HOME } from "../child.ts";
import { sizeOf } from "../effort.ts";
import { interleave, median } from "../measure.ts";
import type { Progress, Row } from "../suite.ts";
import { row } from "../suite.ts";
import { requireDisk, withTempFolder } from "../temp-folder.ts";
import { parseBare } from "./parse.ts";
import type { Stream } from "./streams.ts";
import { recordedStreams } from "./streams.ts";

const BINARY = fileURLToPath(new URL("../../packages/claw/bin/claw.cjs", import.meta.url));
const STREAM_BYTES = sizeOf(200e6, 1e6);
const MEMORY_BYTES = sizeOf(1e9, 1e7);
const LINE_BYTES = 60_000;
const DISK_BYTES = 3e9;
const ROUNDS = sizeOf(5, 1);

/** Loaded into a program before its own code: on exit it notes the most memory the process had. */
const PRELOAD = `
process.on("exit", () => require("node:fs").writeFileSync(process.env.BENCH_MEMORY, String(process.resourceUsage().maxRSS)));
`;

const PROGRAMS = { "claude-code": "claude", codex: "codex", claw: "claw", fake: "claude" } as const;

/** Puts a script in the place of an agent. */
function putAgent(folder: string, name: string, script: string): void {
  writeFileSync(join(folder, name), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
}

/** Runs Node in a folder whose programs come first, and rejects when it fails. What it prints is dropped. */
async function runNode(args: readonly string[], folder: string): Promise<void> {
  const env = {
    PATH: `${folder}:/usr/bin:/bin`,
    HOME: folder,
    XDG_CACHE_HOME: CACHE_HOME,
    TMPDIR: folder,
    LANG: "C.UTF-8",
    // A secret to look for, as there always is one.
    ANTHROPIC_API_KEY: "sk-ant-bench-0123456789abcdef",
    BENCH_MEMORY: join(folder, "memory"),
  };
  const child = spawn(process.execPath, ["--require", join(folder, "preload.cjs"), ...args], {
    cwd: folder,
    env,
    stdio: ["ignore", "ignore", "inherit"],
  });
  const [code] = (await once(child, "close")) as [number | null];
  if (code !== 0) throw new Error(`${args.slice(1).join(" ")} ended with ${code}`);
}

const runClaw = (folder: string, harness: Stream["harness"]): Promise<void> =>
  runNode([BINARY, "run", "go", "--harness", harness, "--output-format", "json"], folder);

function writeStream(path: string, stream: Stream): void {
  const fd = openSync(path, "w");
  for (const chunk of stream.chunks()) writeSync(fd, chunk);
  closeSync(fd);
}

/** The program from start to exit, its agent a recording that is printed, against parsing the same bytes in memory. */
async function speedRows(stream: Stream, folder: string, progress: Progress): Promise<Row[]> {
  const file = join(folder, `${stream.harness}.ndjson`);
  writeStream(file, stream);
  putAgent(folder, PROGRAMS[stream.harness], `exec cat '${file}'`);
  const timings = await interleave(
    { bare: async () => parseBare(stream), own: () => runClaw(folder, stream.harness) },
    ROUNDS,
    (text) => progress(`${stream.name}: ${text}`),
  );
  const ratios = timings.bare.map((bareMs, round) => bareMs / (timings.own[round] ?? Number.NaN));
  return [
    row(`${stream.name}, claw run`, stream.bytes / 1e6 / (median(timings.own) / 1000), "MB/s"),
    row(`${stream.name}, claw run`, median(ratios), "× split and JSON.parse", { atLeast: 0.45 }),
  ];
}

const SENTENCE = "All work and no play makes an agent dull. ";
const TEXT = SENTENCE.repeat(LINE_BYTES / SENTENCE.length);

const BULK: Readonly<Record<string, unknown>> = {
  "assistant text": {
    type: "assistant",
    message: { content: [{ type: "text", text: TEXT }] },
    parent_tool_use_id: null,
  },
  "tool results": { type: "user", message: { content: [{ type: "tool_result", tool_use_id: "t1", content: TEXT }] } },
};

/** The end of a run with an answer; without one the run would have failed. */
const ANSWER = JSON.stringify({ type: "assistant", message: { content: [{ type: "text", text: "Done." }] } });

/** In megabytes; the system counts in kilobytes. */
const peakOf = (folder: string): number => Number(readFileSync(join(folder, "memory"), "utf8")) / 1024;

/** The most memory of a whole run of this many bytes, beyond that of a process that does nothing. */
async function memoryRow(name: string, event: unknown, folder: string): Promise<Row> {
  const line = JSON.stringify(event);
  writeFileSync(join(folder, "line"), line);
  const count = Math.ceil(MEMORY_BYTES / (line.length + 1));
  putAgent(folder, "claude", `yes "$(cat '${join(folder, "line")}')" | head -n ${count}\necho '${ANSWER}'`);
  await runNode(["-e", "0"], folder);
  const empty = peakOf(folder);
  await runClaw(folder, "claude-code");
  return row(`peak memory over an empty process, 1 GB of ${name}`, peakOf(folder) - empty, "MB", { atMost: 150 });
}

/** The whole program: process, pipe, reading, masking, spooling, answer. */
export function runSuite(progress: Progress): Promise<Row[]> {
  return withTempFolder(async (folder) => {
    requireDisk(folder, DISK_BYTES);
    writeFileSync(join(folder, "preload.cjs"), PRELOAD);
    const rows: Row[] = [];
    for (const stream of recordedStreams(STREAM_BYTES)) rows.push(...(await speedRows(stream, folder, progress)));
    for (const [name, event] of Object.entries(BULK)) {
      progress(`memory: ${name}`);
      rows.push(await memoryRow(name, event, folder));
    }
    return rows;
  });
}
