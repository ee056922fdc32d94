import { onTestFinished } from "vitest";
import { until } from "../../packages/claw/src/process/testing/until.ts";
import type { Frame } from "../e2e/daemon-process.ts";
import { askOnce, connectOld } from "./old-client.ts";

/** The first id on the connection that stays. */
const FIRST_RID = 1_000_000;

/** What the MCP server subscribes to before its first tool: in 0.7, and what 0.8 adds. */
const WATCHED = [
  "system.worker.terminated",
  "worker.+.complete",
  "system.peer.connected",
  "system.terminal.ready",
  "vehicle.+.content",
  "tool.+.invoked",
];

/** An event as the MCP server keeps it for `claws_drain_events`. */
interface Kept {
  readonly topic: string;
  readonly payload: Frame;
  readonly sequence: unknown;
}

/** Plays the MCP server of claws 0.8 on the wire: its connections, ids, order of members, and how it reads answers. */
export interface OldMcpServer {
  /** A request on a connection of its own; the first line is the answer. */
  once(request: Frame): Promise<Frame>;
  /** A request on the connection that stays. */
  ask(request: Frame): Promise<Frame>;
  /** What it does around each tool: it tells the bus. */
  tool(name: string, args: Frame): Promise<void>;
  /** Pushed events, each sequence once. */
  events(): readonly Kept[];
  peerId(): string;
  close(): void;
}

/** Connects, says hello and subscribes as the MCP server does before its first tool. */
export async function startOldMcp(socket: string): Promise<OldMcpServer> {
  let [counter, rid, peerId] = [0, FIRST_RID, ""];
  const client = await connectOld(socket);
  onTestFinished(() => client.close());
  const frames = (): Frame[] => client.lines.map((line) => JSON.parse(line) as Frame);
  const ask = async (request: Frame): Promise<Frame> => {
    const id = (rid += 1);
    client.write(`${JSON.stringify({ ...request, id })}\n`);
    return until(`the answer to ${String(request["cmd"])}`, () =>
      frames().find((frame) => (frame["rid"] ?? frame["id"]) === id),
    );
  };
  const publish = (topic: string, payload: Frame): Promise<Frame> =>
    ask({ cmd: "publish", protocol: "claws/2", topic, payload });
  const hello = { cmd: "hello", protocol: "claws/2", role: "orchestrator", peerName: "mcp-orchestrator" };
  peerId = String((await ask(hello))["peerId"]);
  for (const topic of WATCHED) await ask({ cmd: "subscribe", protocol: "claws/2", topic });
  return {
    once: async (request) => JSON.parse(await askOnce(socket, JSON.stringify({ id: (counter += 1), ...request }))),
    ask,
    tool: async (name, args) => {
      const told = { tool: name, peerId, args_keys: Object.keys(args) };
      await publish(`tool.${name}.invoked`, told);
      await publish(`tool.${name}.completed`, { ...told, duration_ms: 1 });
    },
    events: () => {
      const pushed = frames().filter((frame) => frame["rid"] === undefined && frame["push"] === "message");
      const seen = new Map(pushed.map((frame) => [frame["sequence"], frame as unknown as Kept]));
      return [...seen.values()];
    },
    peerId: () => peerId,
    close: () => client.close(),
  };
}
