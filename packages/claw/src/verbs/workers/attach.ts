import type { HostPush, Terminal, VerbInput, VerbOutput } from "claw-contract";
import { ClawError, shellQuote } from "claw-contract";
import type { HostAddress, HostClient } from "../../terminals/index.ts";
import { connectHost, findHost } from "../../terminals/index.ts";
import { onBus } from "../bus/ask-bus.ts";
import { findMeant, noTerminal } from "./find-terminal.ts";
import { lookElsewhere } from "./terminal-elsewhere.ts";
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

/** Reads keys until the person types the key that detaches. */
function readKeys(
  { key, raw }: Pick<Attachment, "key" | "raw">,
  typed: (bytes: Uint8Array) => void,
  leave: () => void,
): void {
  raw.listen((bytes) => {
    const at = bytes?.indexOf(byteOf(key)) ?? 0;
    const keys = at === -1 ? bytes : bytes?.subarray(0, at);
    if (keys !== null && keys !== undefined && keys.length > 0) typed(keys);
    if (at !== -1) leave();
  });
}

/** Passes keys on to the terminal. What a program does not read in time is lost, as on any terminal. */
const passKeys = (attachment: Attachment, client: HostClient, leave: () => void): void =>
  readKeys(
    attachment,
    (typed) => {
      const data = Buffer.from(typed).toString("base64");
      client.ask("write", { terminalId: attachment.id, data }).catch(() => undefined);
    },
    leave,
  );

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

/** A terminal to attach to: on this machine by its host, on another machine through the daemon. */
interface Target {
  readonly id: string;
  readonly name: string;
  readonly hold: (attachment: Attachment) => Promise<Ending>;
}

/** A terminal on another machine; undefined when the cluster has none of that name there. */
async function targetElsewhere(id: string, ports: Ports): Promise<Target | undefined> {
  const found = await lookElsewhere(id, ports);
  if (found === undefined) return undefined;
  const { terminalId, name, machine } = found;
  if (terminalId === null) throw isHeadless(id);
  return {
    id: terminalId,
    name: `${name} on ${machine}`,
    hold: ({ id: terminal, key, raw, signal }) =>
      onBus(ports, async (bus) => {
        const { holdElsewhere } = await import("./attach-elsewhere.ts");
        const keys = (typed: (bytes: Uint8Array) => void, leave: () => void): void =>
          readKeys({ key, raw }, typed, leave);
        return holdElsewhere(bus, { id: terminal, raw, signal, readKeys: keys });
      }),
  };
}

function findHere(id: string, ports: Ports): Target {
  const { about, host } = requireOpen(id, ports);
  return { id: about.id, name: about.name, hold: (attachment) => hold(attachment, host) };
}

async function run({ worker: id, detachKey, dryRun }: Input, ports: Ports): Promise<Output> {
  const target = (await targetElsewhere(id, ports)) ?? findHere(id, ports);
  if (dryRun) {
    return { terminal_id: target.id, ...DETACHED, detached: false, effect: "would_update", would_affect: [] };
  }
  if (ports.openRawTerminal === null) {
    throw new ClawError("INTERACTIVE_ONLY", "claw attach needs a terminal", {
      operation: "attach",
      target: id,
      hint: `Run it on a terminal, or read what it printed with: claw logs ${target.id}`,
    });
  }
  ports.announce(`Terminal ${target.id}: ${target.name}. Ctrl-${detachKey.slice(1)} leaves it.`);
  const raw = await ports.openRawTerminal();
  try {
    const ending = await target.hold({ id: target.id, key: detachKey, raw, signal: ports.signal });
    return { terminal_id: target.id, ...ending, effect: "updated" };
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
