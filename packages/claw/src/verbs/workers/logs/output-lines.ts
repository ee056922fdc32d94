import { createAnsiStripper, trimEndOf } from "claw-contract";

/** Whole lines of an output; characters and sequences may be cut anywhere. */
export interface OutputLines {
  push(bytes: Uint8Array): string[];
  /** The text after the last line end. */
  rest(): string[];
}

/** The visible text of a line that was overwritten, as progress bars do. */
function lastState(line: string): string {
  const whole = trimEndOf(line, "\r");
  return whole.slice(whole.lastIndexOf("\r") + 1);
}

/** Splits output into lines. Without `raw`, removes terminal sequences and overwritten text. */
export function createOutputLines(raw: boolean): OutputLines {
  const decoder = new TextDecoder("utf-8");
  const stripper = createAnsiStripper();
  const shown = (line: string): string => (raw ? line : lastState(line));
  // Pieces of a line that has not ended; joined once, since a line may be as long as all that is kept.
  let begun: string[] = [];
  return {
    push: (bytes) => {
      const text = decoder.decode(bytes, { stream: true });
      const [first = "", ...others] = (raw ? text : stripper.push(text)).split("\n");
      begun.push(first);
      const last = others.pop();
      if (last === undefined) return [];
      const lines = [begun.join(""), ...others];
      begun = [last];
      return lines.map(shown);
    },
    rest: () => {
      const line = begun.join("");
      return line === "" ? [] : [shown(line)];
    },
  };
}
