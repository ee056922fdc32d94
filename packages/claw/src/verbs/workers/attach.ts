import type { HostPush, Terminal, VerbInput, VerbOutput } from "claw-contract";
import { ClawError, shellQuote } from "claw-contract";
import type { HostAddress, HostClient } from "../../terminals/index.ts";
import { connectHost, findHost } from "../../terminals/index.ts";
import { findMeant, noTerminal } from "./find-terminal.ts";
import { clawsFolder } from "./logs/worker-log.ts";
import type { Ports } from "../runtime/handle.ts";
import { handle } from "../runtime/handle.ts";
import type { RawTerminal } from "../runtime/raw-terminal.ts";

type Input = VerbInput<"attach">;
type Output = VerbOutput<"attach">;
type Ending = Pick<Output, "detached" | "program_exit_code" | "program_signal">;

const DETACHED: Ending = { detached: true, program_exit_code: null, program_signal: null };

/** The byte that Ctrl and a key send. */
const byteOf = (key: string): number => key.charCodeAt(1) & 0x1f;

function requireOpen(id: string, ports: Ports): { about: Terminal; host: HostAddress } {
  const meant = findMeant(id, ports);
  const host = findHost(clawsFolder(ports));
  if (meant === undefined) throw noTerminal(id);
  if (meant.kind === "worker") throw isHeadless(id);
  const about = meant.terminal;
  if (about.end !== null || host === undefined) throw hasEnded(about);
  return { about, host };
}

const isHeadless = (id: string): ClawError =>
  new ClawError("TERMINAL_NOT_FOUND", `worker ${id} works without a terminal`, {
    operation: "attach",
    target: id,
    hint: `Watch it with: claw logs --follow ${shellQuote(id)} - and speak to it with: claw send ${shellQuote(id)} TEXT`,
  });

const hasEnded = ({ id }: Terminal): ClawError =>
  new ClawError("TERMINAL_NOT_FOUND", `terminal ${id} has ended`, {
    operation: "attach",
    target: id,
    hint: `Read what it printed: claw logs ${id}`,
  });

const lost = (id: string): ClawError =>
  new ClawError("TERMINAL_HOST_FAILED", "the terminal host has ended, and its terminals with it", {
    operation: "attach",
    target: id,
  });

interface Attachment {
  readonly id: string;
  readonly key: string;
  readonly raw: RawTerminal;
  readonly signal: AbortSignal;
}

/** Passes keys on to the terminal until the person types the key that detaches. */
function passKeys({ id, key, raw }: Attachment, client: HostClient, leave: () => void): void {
  raw.listen((bytes) => {
    const at = bytes?.indexOf(byteOf(key)) ?? 0;
    const typed = at === -1 ? bytes : bytes?.subarray(0, at);
    if (typed !== null && typed !== undefined && typed.length > 0) {
      // What a program does not read in time is lost, as on any terminal.
      client.ask("write", { terminalId: id, data: Buffer.from(typed).toString("base64") }).catch(() => undefined);
    }
    if (at !== -1) leave();
  });
}

async function startAttachment(attachment: Attachment, client: HostClient, leave: () => void): Promise<void> {
  const { id, raw } = attachment;
  const fit = async (): Promise<void> => {
    await client.ask("resize", { terminalId: id, cols: raw.columns(), rows: raw.rows() }).catch(() => undefined);
  };
  await fit();
  raw.onResize(() => void fit());
  const { screen } = await client.ask("attach", { terminalId: id });
  if (screen !== null) raw.write(Buffer.from(screen));
  passKeys(attachment, client, leave);
}

/** Shows a terminal and types into it until either side has enough. */
async function hold(attachment: Attachment, host: HostAddress): Promise<Ending> {
  const { id, raw, signal } = attachment;
  let client: HostClient | undefined;
  const held = new Promise<Ending>((resolve, reject) => {
    const push = (pushed: HostPush): void => {
      if (pushed.push === "output" && !raw.write(Buffer.from(pushed.data, "base64"))) resolve(DETACHED);
      if (pushed.push === "ended") {
        resolve({ detached: false, program_exit_code: pushed.exitCode, program_signal: pushed.signal });
      }
    };
    signal.addEventListener("abort", () => reject(signal.reason as Error), { once: true });
    connectHost(host, { push, closed: () => reject(lost(id)) })
      .then((connected) => {
        client = connected;
        return startAttachment(attachment, connected, () => resolve(DETACHED));
      })
      .catch(reject);
  });
  return held.finally(() => client?.close());
}

async function run({ worker: id, detachKey, dryRun }: Input, ports: Ports): Promise<Output> {
  const { about, host } = requireOpen(id, ports);
  if (dryRun) {
    return { terminal_id: about.id, ...DETACHED, detached: false, effect: "would_update", would_affect: [] };
  }
  if (ports.openRawTerminal === null) {
    throw new ClawError("INTERACTIVE_ONLY", "claw attach needs a terminal", {
      operation: "attach",
      target: id,
      hint: `Run it on a terminal, or read what it printed with: claw logs ${about.id}`,
    });
  }
  ports.announce(`Terminal ${about.id}: ${about.name}. Ctrl-${detachKey.slice(1)} leaves it.`);
  const raw = await ports.openRawTerminal();
  try {
    const ending = await hold({ id: about.id, key: detachKey, raw, signal: ports.signal }, host);
    return { terminal_id: about.id, ...ending, effect: "updated" };
  } finally {
    raw.close();
  }
}

function show({ terminal_id: id, detached, program_exit_code: code, program_signal: signal, effect }: Output): string {
  if (effect === "would_update") return `Would attach to terminal ${id}.`;
  if (detached) return `Left terminal ${id}; it goes on. Come back with: claw attach ${id}`;
  return `Terminal ${id} has ended with ${signal === null ? `exit code ${code}` : `signal ${signal}`}.`;
}

export const handler = handle("attach", { run, show });
