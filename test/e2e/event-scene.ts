import { until } from "../../packages/claw/src/process/testing/until.ts";
import type { Daemon, LiveCall, WireClient } from "./daemon-process.ts";
import { beginClaw, connectWire, startDaemon } from "./daemon-process.ts";
import type { Workspace } from "./workspace.ts";
import { createWorkspace } from "./workspace.ts";

export interface Scene {
  readonly workspace: Workspace;
  readonly daemon: Daemon;
  /** An orchestrator that is there all the time. */
  readonly client: WireClient;
  /** Publishes one note for each number; resolves with their cursors. */
  readonly note: (...numbers: number[]) => Promise<string[]>;
}

export async function begin(): Promise<Scene> {
  const workspace = createWorkspace();
  const daemon = await startDaemon(workspace);
  const client = await connectWire(daemon.socket);
  await client.hello("orchestrator", { capabilities: ["receipts"] });
  const note = async (...numbers: number[]): Promise<string[]> => {
    const replies = await Promise.all(numbers.map((n) => client.publish("note.x", { n })));
    return replies.map(({ cursor }) => String(cursor));
  };
  return { workspace, daemon, client, note };
}

export type Item = Record<string, unknown> & { payload?: { n?: number } };

export const itemsOf = ({ lines }: LiveCall): Item[] => lines.map((line) => JSON.parse(line) as Item);
export const numbersOf = (items: readonly Item[]): unknown[] => items.map(({ payload }) => payload?.n);
export const eventsOf = (body: Record<string, unknown>): Item[] => body["events"] as Item[];

/** Follows the notes, and waits until the bus knows of it. */
export async function follow({ workspace, client }: Scene, ...flags: string[]): Promise<LiveCall> {
  const call = beginClaw(workspace, ["events", "--follow", "--topic", "note.*", ...flags]);
  const isListening = async (): Promise<boolean> => {
    const { deliveredTo } = await client.publish("note.ready", { n: 0 });
    return Number(deliveredTo) > 0;
  };
  await until("the bus to know of it", isListening);
  return call;
}
