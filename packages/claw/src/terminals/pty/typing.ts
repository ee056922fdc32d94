import { ClawError, LIMITS } from "claw-contract";

/** Types into a terminal, one thing after the other. */
export interface Typing {
  /** Resolves when the terminal took them. Rejects with TERMINAL_BUSY when too much waits. */
  bytes(bytes: Uint8Array): Promise<void>;
  /** Types a text and Enter. */
  entered(text: string, paste: boolean): Promise<void>;
  /** Text that is typed as it is, or pasted; without Enter. */
  text(text: string, paste: boolean): Promise<void>;
}

export interface TypingOptions {
  readonly terminalId: string;
  readonly write: (bytes: Uint8Array) => Promise<void>;
  /** Bytes that wait to be read by the program. */
  readonly waiting: () => number;
}

/** Programs take Enter right behind a paste for a part of it. */
const ENTER_DELAY_MS = 30;

/** Control characters but tab and line ends: one of them could end the paste and press keys. */
const CONTROLS = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]/g;

export const pasted = (text: string): string => `\u001b[200~${text.replaceAll(CONTROLS, "")}\u001b[201~`;

export function createTyping({ terminalId, write, waiting }: TypingOptions): Typing {
  let queue: Promise<unknown> = Promise.resolve();
  let queued = 0;
  const inTurn = (size: number, work: () => Promise<void>): Promise<void> => {
    if (waiting() + queued + size > LIMITS.terminalInputBytes) {
      const busy = new ClawError("TERMINAL_BUSY", `the program in terminal ${terminalId} does not read its input`, {
        operation: "write",
        target: terminalId,
      });
      return Promise.reject(busy);
    }
    queued += size;
    const done = queue.then(work).finally(() => (queued -= size));
    queue = done.catch(() => undefined);
    return done;
  };
  const typed = (text: string, paste: boolean): Buffer => Buffer.from(paste ? pasted(text) : text);
  return {
    bytes: (bytes) => inTurn(bytes.length, () => write(bytes)),
    text: (text, paste) => {
      const bytes = typed(text, paste);
      return inTurn(bytes.length, () => write(bytes));
    },
    entered: (text, paste) => {
      const bytes = typed(text, paste);
      return inTurn(bytes.length + 1, async () => {
        await write(bytes);
        if (paste) await new Promise((resolve) => setTimeout(resolve, ENTER_DELAY_MS));
        await write(Buffer.from("\r"));
      });
    },
  };
}
