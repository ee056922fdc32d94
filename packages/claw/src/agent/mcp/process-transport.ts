import { createLineFramer, LIMITS } from "claw-contract";
import type { JSONRPCMessage, Transport } from "@modelcontextprotocol/client";
import type { OpenProcess } from "../../process/index.ts";
import { createByteTail, openProcess } from "../../process/index.ts";
import type { ProcessServer } from "./read-servers.ts";

export interface Surroundings {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** Variables that every program needs. Other variables, keys above all, go only to servers whose settings name them. */
const INHERITED = /^(?:PATH|HOME|USER|LOGNAME|SHELL|TERM|TMPDIR|TZ|LANG|LC_[A-Z]+|XDG_[A-Z_]+)$/;

/** Environment of a server: the variables that every program needs, and the variables of the server's settings. */
function serverEnvironment(env: Surroundings["env"], own: ProcessServer["env"]): Record<string, string> {
  const kept = Object.entries(env).filter(
    (entry): entry is [string, string] => entry[1] !== undefined && INHERITED.test(entry[0]),
  );
  return { ...Object.fromEntries(kept), ...own };
}

const LAST_WORDS_BYTES = 1024;

/** How long a failed write waits to learn how the server ended. */
const END_WAIT_MS = 5000;

/**
 * A server's process as a transport. Closing it ends the process and everything the process started, by force if
 * needed.
 */
export class ProcessTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JSONRPCMessage) => void;
  /**
   * How the process ended and the last text on stderr, for people; null while the process runs or when it never
   * started.
   */
  endReason: string | null = null;
  readonly #server: ProcessServer;
  readonly #around: Surroundings;
  readonly #lastWords = createByteTail(LAST_WORDS_BYTES);
  #child: OpenProcess | undefined;
  #isClosed = false;
  /** Resolves when the process has ended and its output is read. */
  #reading: Promise<void> = Promise.resolve();

  constructor(server: ProcessServer, around: Surroundings) {
    this.#server = server;
    this.#around = around;
  }

  /** Resolves when the process runs. Rejects with the error of the system when it cannot be started. */
  async start(): Promise<void> {
    const { argv, env } = this.#server;
    const { cwd, env: inherited } = this.#around;
    const ending = { politeMs: LIMITS.runPoliteMs, firmMs: LIMITS.runFirmMs };
    const onStderr = (chunk: Uint8Array): void => this.#lastWords.push(chunk);
    const rest = { input: true, aheadBytes: LIMITS.runAheadBytes, onStderr, ending };
    const child = await openProcess({ argv, cwd, env: serverEnvironment(inherited, env), ...rest });
    this.#child = child;
    if (this.#isClosed) return void (await child.end());
    this.#reading = this.#read(child);
  }

  async send(message: JSONRPCMessage): Promise<void> {
    const isTaken = (await this.#child?.write(`${JSON.stringify(message)}\n`)) ?? false;
    if (isTaken) return;
    // A server that no longer reads has mostly ended; how it ended says more than the failed write.
    await this.#untilEnded();
    throw new Error(this.endReason ?? "the server takes no more messages");
  }

  /** Resolves when the process has ended, or after a short while. */
  #untilEnded(): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, END_WAIT_MS);
      const ended = (): void => {
        clearTimeout(timer);
        resolve();
      };
      this.#reading.then(ended, ended);
    });
  }

  async close(): Promise<void> {
    this.#tellClosed();
    await this.#child?.end();
  }

  #tellClosed(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.onclose?.();
  }

  async #read({ output, exited }: OpenProcess): Promise<void> {
    const framer = createLineFramer({ maxLineBytes: LIMITS.mcpMessageBytes });
    for await (const chunk of output) {
      const lines = framer.push(chunk);
      for (const line of lines) if (line.kind === "line" && line.bytes.length > 0) this.#take(line.bytes);
      if (framer.pendingBytes() > LIMITS.mcpMessageBytes || lines.some(({ kind }) => kind === "oversize")) {
        this.endReason = "it sent a message that is too long";
        return this.close();
      }
    }
    const { exitCode, signal } = await exited;
    const words = this.#lastWords.text().trim();
    this.endReason ??= `it ended with ${signal ?? `exit ${exitCode}`}${words === "" ? "" : `: ${words}`}`;
    this.#tellClosed();
  }

  #take(bytes: Uint8Array): void {
    try {
      this.onmessage?.(JSON.parse(new TextDecoder().decode(bytes)) as JSONRPCMessage);
    } catch (error) {
      // The line is no message: programs print other things to stdout too.
      this.onerror?.(error as Error);
    }
  }
}
