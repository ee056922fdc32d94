import type { FakeScenario } from "claw-contract";
import type { Stage } from "./stage.ts";
import { AudienceLeft } from "./stage.ts";
import type { Said } from "./voice.ts";
import { isComplaint } from "./voice.ts";

/** Writes the output of an agent. Rejects with AudienceLeft once the reader has left. */
export interface Output {
  say(said: Said): Promise<void>;
  /** Bytes of stdout as they are. */
  raw(text: string): Promise<void>;
  complain(text: string): Promise<void>;
}

/** Writes lines of JSON to stdout, in pieces if the scenario says so. */
export function createOutput(stage: Stage, drip: FakeScenario["drip"]): Output {
  // This signal never aborts: a begun line is always finished.
  const { signal } = new AbortController();
  const write = async (to: "stdout" | "stderr", bytes: Uint8Array): Promise<void> => {
    if (!(await stage.write(to, bytes))) throw new AudienceLeft();
  };
  const raw = async (text: string): Promise<void> => {
    const bytes = Buffer.from(text);
    if (drip === undefined) return write("stdout", bytes);
    for (let offset = 0; offset < bytes.length; offset += drip.bytes) {
      await write("stdout", bytes.subarray(offset, offset + drip.bytes));
      await stage.wait(drip.ms, signal);
    }
  };
  const complain = (text: string): Promise<void> => write("stderr", Buffer.from(text));
  return {
    raw,
    complain,
    async say(said) {
      for (const item of said) {
        if (isComplaint(item)) await complain(item.complaint);
        else await raw(`${JSON.stringify(item)}\n`);
      }
    },
  };
}
