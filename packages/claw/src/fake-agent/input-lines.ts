import type { JsonObject } from "claw-contract";
import { createLineFramer, LIMITS, parseObject } from "claw-contract";

/** Reads objects from stdin, a line each. A line that holds no object yields undefined. */
export async function* readObjects(input: AsyncIterable<Uint8Array>): AsyncGenerator<JsonObject | undefined> {
  const framer = createLineFramer({ maxLineBytes: LIMITS.runLineBytes });
  for await (const chunk of input) {
    for (const line of framer.push(chunk)) {
      if (line.kind === "oversize") yield undefined;
      else if (line.bytes.length > 0) yield parse(line.bytes);
    }
  }
  for (const line of framer.end()) yield line.kind === "torn" ? parse(line.bytes) : undefined;
}

const parse = (bytes: Uint8Array): JsonObject | undefined => parseObject(Buffer.from(bytes).toString());

/** All of stdin as text. */
export async function readText(input: AsyncIterable<Uint8Array>): Promise<string> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of input) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}
