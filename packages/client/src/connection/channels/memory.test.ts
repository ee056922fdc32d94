import { describeChannel } from "../channel.conformance.ts";
import type { LineConnection } from "./memory.ts";
import { memoryChannel } from "./memory.ts";

describeChannel("memory", async () => {
  const lines: string[] = [];
  let connection: LineConnection | undefined;
  let gone = false;
  let stopped = false;
  const open = memoryChannel((accepted) => {
    if (stopped) throw new Error("nobody is there");
    connection = accepted;
    return { line: (text) => void lines.push(text), drained: () => undefined, closed: () => (gone = true) };
  });
  return {
    open,
    lines,
    send: (line) => connection?.send(line),
    held: () => connection?.congested() ?? false,
    hangUp: () => connection?.end(),
    gone: () => gone,
    stop: async () => {
      stopped = true;
    },
  };
});
