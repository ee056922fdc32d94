import { mkdirSync } from "node:fs";
import { join } from "node:path";
import type { Orchestrator } from "claw-client";
import { connectOrchestrator } from "claw-client";
import { unixChannel } from "claw-client/node";
import { runClaw, runNode } from "./child.ts";
import { sizeOf } from "./effort.ts";
import type { McpProcess } from "./mcp/mcp-process.ts";
import { startMcp } from "./mcp/mcp-process.ts";
import { fastest, interleave, median } from "./measure.ts";
import type { Progress, Row } from "./suite.ts";
import { row } from "./suite.ts";
import { withTempFolder } from "./temp-folder.ts";

const STARTS = sizeOf(15, 1);
const CALLS = sizeOf(200, 3);
const DRAINS = sizeOf(15, 1);
const EVENTS = 1000;
const TOPIC = "note.bench";
const UNIT = "× node -e 0";

/** The time from the start of `claw mcp serve` to its first answer, against Node doing nothing. */
async function startRows(cwd: string, progress: Progress): Promise<Row[]> {
  const first = (method: "discover" | "initialize") => async () => {
    const server = startMcp(cwd);
    await server[method]();
    void server.close();
  };
  const contenders = {
    node: () => runNode(["-e", "0"], { cwd }),
    discover: first("discover"),
    initialize: first("initialize"),
  };
  const timings = await interleave(contenders, STARTS, progress);
  const times = (name: keyof typeof contenders): number => median(timings[name]) / median(timings.node);
  return (["discover", "initialize"] as const).flatMap((name) => [
    row(`first answer, to ${name}`, median(timings[name]), "ms"),
    row(`first answer, to ${name}`, times(name), UNIT, { atMost: 2.5 }),
    row(`first answer, to ${name}, fastest runs`, fastest(timings[name]) / fastest(timings.node), UNIT),
  ]);
}

/** A small call of a tool, against the same request of a client in this process. */
async function callRows(mcp: McpProcess, bus: Orchestrator, progress: Progress): Promise<Row[]> {
  const contenders = { tool: () => mcp.call("claws_peers", {}), client: () => bus.request("peers") };
  const timings = await interleave(contenders, CALLS, progress);
  const more = median(timings.tool) - median(timings.client);
  return [
    row("claws_peers", median(timings.tool), "ms"),
    row("claws_peers, over the same request in process", more, "ms", { atMost: 3 }),
  ];
}

const ALL = { since_index: 0, max: EVENTS };

/** Reads all events through one call of the tool for many events. */
async function drain(mcp: McpProcess): Promise<number> {
  const { events } = await mcp.call("claws_drain_events", ALL);
  const read = (events as unknown[]).length;
  if (read !== EVENTS) throw new Error(`claws_drain_events read ${read} of ${EVENTS} events`);
  return read;
}

/** Reads all events through the tool for leads, in as many calls as the bound of one answer asks for. */
async function readParts(mcp: McpProcess): Promise<number> {
  let [since, read, more] = ["0000:0", 0, true];
  while (more) {
    const part = await mcp.call("claws_events", { topics: [TOPIC], since, limit: EVENTS });
    read += (part["events"] as unknown[]).length;
    since = String(part["cursor"]);
    more = part["more"] === true;
  }
  if (read !== EVENTS) throw new Error(`claws_events read ${read} of ${EVENTS} events`);
  return read;
}

/** Reads all events as a program does that uses the SDK. */
async function readAll(bus: Orchestrator): Promise<number> {
  let read = 0;
  for await (const _event of bus.subscribe(TOPIC, { from: "0000:0", own: true })) if ((read += 1) === EVENTS) break;
  return read;
}

async function drainRows(mcp: McpProcess, bus: Orchestrator, progress: Progress): Promise<Row[]> {
  await mcp.call("claws_subscribe", { topic: TOPIC });
  for (let n = 1; n < EVENTS; n += 1) void bus.publish(TOPIC, { n });
  await bus.publish(TOPIC, { n: EVENTS });
  await bus.flush();
  const contenders = {
    drain: () => drain(mcp),
    unread: () => mcp.callUnread("claws_drain_events", ALL),
    parts: () => readParts(mcp),
    client: () => readAll(bus),
  };
  const timings = await interleave(contenders, DRAINS, progress);
  const times = (name: keyof typeof contenders): number => median(timings[name]) / median(timings.client);
  return [
    row(`${EVENTS} events in one call`, median(timings.drain), "ms"),
    row(`${EVENTS} events in one call`, times("drain"), "× the SDK", { atMost: 1.5 }),
    row(`${EVENTS} events in one call, over the SDK`, median(timings.drain) - median(timings.client), "ms"),
    row(`${EVENTS} events in one call, until the answer's last byte`, times("unread"), "× the SDK"),
    row(`${EVENTS} events in parts of 48 KB`, times("parts"), "× the SDK"),
  ];
}

/** What the MCP server costs: its start, a small call, and many events. */
export function mcp(progress: Progress): Promise<Row[]> {
  return withTempFolder(async (folder) => {
    const cwd = join(folder, "project");
    mkdirSync(cwd);
    const starts = await startRows(cwd, progress);
    await runClaw(["up", "--rate-limit", String(EVENTS)], { cwd });
    const server = startMcp(cwd, ["--tools", "all"]);
    const bus = connectOrchestrator({ channel: unixChannel(join(cwd, ".claws", "claws.sock")), name: "bench" });
    try {
      await bus.ready();
      return [...starts, ...(await callRows(server, bus, progress)), ...(await drainRows(server, bus, progress))];
    } finally {
      await bus.close();
      await server.close();
      await runClaw(["down"], { cwd });
    }
  });
}
