import { isObject, parseJson } from "claw-contract";
import type { Greeting, ServerFace } from "./greeting.ts";
import { greet } from "./greeting.ts";
import type { LineStreams } from "./line-transport.ts";

const LF = 0x0a;

/** A longer first message is left to the server. */
const MAX_FIRST_BYTES = 64 * 1024;

type Chunks = AsyncIterator<Uint8Array>;

/** Reads the first line; undefined when it is too long, or the input ends before. What was read is added to `read`. */
async function firstLine(chunks: Chunks, read: Uint8Array[]): Promise<string | undefined> {
  for (let bytes = 0; bytes < MAX_FIRST_BYTES;) {
    const next = await chunks.next();
    if (next.done === true) return undefined;
    read.push(next.value);
    bytes += next.value.length;
    if (!next.value.includes(LF)) continue;
    const all = Buffer.concat(read);
    return all.toString("utf8", 0, all.indexOf(LF));
  }
  return undefined;
}

/** Bytes that were read before, then the rest of the input. */
async function* replay(read: readonly Uint8Array[], chunks: Chunks): AsyncGenerator<Uint8Array, void, void> {
  try {
    yield* read;
    for (let next = await chunks.next(); next.done !== true; next = await chunks.next()) yield next.value;
  } finally {
    await chunks.return?.();
  }
}

const isAnswerTo = (bytes: Uint8Array, id: Greeting["id"]): boolean => {
  const message = parseJson(Buffer.from(bytes).toString("utf8"));
  return isObject(message) && message["id"] === id && message["method"] === undefined;
};

/** Leaves out the server's own answer to a message that was answered before. */
function withoutAnswer(write: LineStreams["write"], id: Greeting["id"]): LineStreams["write"] {
  let isDue = true;
  return (bytes) => {
    if (!isDue || !isAnswerTo(bytes, id)) return write(bytes);
    isDue = false;
    return Promise.resolve(true);
  };
}

/**
 * Waits for a client's first message, and answers it at once where that is possible. Resolves with the streams for the
 * server: the server reads the first message too, and its answer to a message that was answered is left out.
 */
export async function greetedStreams({ input, write }: LineStreams, face: ServerFace): Promise<LineStreams> {
  const read: Uint8Array[] = [];
  const chunks = input[Symbol.asyncIterator]();
  const line = await firstLine(chunks, read);
  const greeting = line === undefined ? undefined : greet(line, face);
  const rest = replay(read, chunks);
  if (greeting === undefined) return { input: rest, write };
  await write(Buffer.from(`${JSON.stringify(greeting.answer)}\n`));
  return { input: rest, write: withoutAnswer(write, greeting.id) };
}
