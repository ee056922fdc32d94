import { onTestFinished } from "vitest";
import { until } from "../../packages/claw/src/process/testing/until.ts";
import type { Frame, WireClient } from "./daemon-process.ts";
import { clawsFile, isAlive } from "./daemon-process.ts";
import { textOf } from "./provocations.ts";
import type { Workspace } from "./workspace.ts";

/** Asks about a terminal: its id is the id of the request too. */
export async function askTerminal(client: WireClient, id: string, frame: Frame): Promise<Frame> {
  const answered = (): Frame[] => client.frames().filter(({ rid }) => rid === id);
  const before = answered().length;
  client.send({ ...frame, id });
  return until(`an answer to ${JSON.stringify(frame)}`, () => answered()[before]);
}

/** Waits until a text is among the last that a terminal has put out. */
export async function printed(client: WireClient, id: string, text: string): Promise<void> {
  for (const deadline = Date.now() + 110_000; ;) {
    const { bytes } = await askTerminal(client, id, { cmd: "readLog", limit: 65_536 });
    if (String(bytes).includes(text)) return;
    if (Date.now() > deadline) throw new Error(`terminal ${id} never printed ${text}, but ${String(bytes)}`);
  }
}

/** What a terminal shows. */
export const screenText = async (client: WireClient, id: string): Promise<string> =>
  String((await askTerminal(client, id, { cmd: "terminal.screen" }))["text"]);

/** The process that owns the terminals of a workspace. */
export const hostOf = (workspace: Workspace): number | undefined => {
  const record = textOf(clawsFile(workspace, "terminals.json"));
  return record === undefined ? undefined : (JSON.parse(record) as { pid: number }).pid;
};

/** Ends the terminal host of a workspace once the test is over, and with it what runs in its terminals. */
export function endHostAfterTest(workspace: Workspace): void {
  onTestFinished(async () => {
    const pid = hostOf(workspace);
    if (pid === undefined || !isAlive(pid) || !textOf(`/proc/${pid}/cmdline`)?.includes("terminal-host")) return;
    process.kill(pid, "SIGTERM");
    await until(`terminal host ${pid} to end`, () => !isAlive(pid));
  });
}
