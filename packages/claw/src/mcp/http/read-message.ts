import type { IncomingMessage } from "node:http";
import { isTooDeep, LIMITS } from "claw-contract";
import { RPC_CODES, rpcRefusal } from "./rpc-answer.ts";

/** The body of a request: the text as it came, and the value it stands for. */
export interface PostedMessage {
  readonly text: string;
  readonly body: unknown;
}

const TOO_LARGE = `The body is larger than ${LIMITS.requestLineBytes} bytes`;

/**
 * A whole body; undefined when it is larger than allowed. The rest is read all the same, or the client would never come
 * to reading the answer. Rejects when the client leaves in the middle.
 */
async function readWhole(request: IncomingMessage): Promise<string | undefined> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size <= LIMITS.requestLineBytes) chunks.push(chunk);
    else chunks.length = 0;
  }
  return size > LIMITS.requestLineBytes ? undefined : Buffer.concat(chunks).toString("utf8");
}

/** Reads the message that was posted. Resolves with the answer for a body that holds none. */
export async function readMessage(request: IncomingMessage): Promise<PostedMessage | Response> {
  const text = await readWhole(request);
  if (text === undefined) return rpcRefusal(413, { code: RPC_CODES.transport, text: TOO_LARGE });
  if (isTooDeep(text, LIMITS.requestDepth)) {
    return rpcRefusal(400, { code: RPC_CODES.invalid, text: `The body nests deeper than ${LIMITS.requestDepth}` });
  }
  try {
    return { text, body: JSON.parse(text) as unknown };
  } catch {
    return rpcRefusal(400, { code: RPC_CODES.parse, text: "Parse error: the body is not JSON" });
  }
}
