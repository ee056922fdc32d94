import type { JsonObject } from "@claw/contract";
import { createLineFramer, LIMITS } from "@claw/contract";

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

function parse(bytes: Uint8Array): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(Buffer.from(bytes).toString());
    return typeof value === "object" && value !== null ? (value as JsonObject) : undefined;
  } catch {
    return undefined;
  }
}

/** All of stdin as text. */
export async function readText(input: AsyncIterable<Uint8Array>): Promise<string> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of input) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}

/** A member that is an object, or an empty one. */
export function member(value: JsonObject, name: string): JsonObject {
  const found = value[name];
  return typeof found === "object" && found !== null ? (found as JsonObject) : {};
}

export function textOf(value: JsonObject, name: string): string {
  const found = value[name];
  return typeof found === "string" ? found : "";
}
