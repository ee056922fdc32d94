import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { CACHE_HOME } from "../child.ts";

const BINARY = fileURLToPath(new URL("../../packages/claw/bin/claw.cjs", import.meta.url));
const LF = 0x0a;

const META = {
  "io.modelcontextprotocol/protocolVersion": "2026-07-28",
  "io.modelcontextprotocol/clientInfo": { name: "bench", version: "1" },
  "io.modelcontextprotocol/clientCapabilities": {},
};

const HELLO = {
  protocolVersion: "2025-11-25",
  capabilities: {},
  clientInfo: META["io.modelcontextprotocol/clientInfo"],
};

type Fields = Readonly<Record<string, unknown>>;

/** A running `claw mcp serve`, written to without a client library: only the server's own time counts. */
export interface McpProcess {
  discover(): Promise<unknown>;
  initialize(): Promise<unknown>;
  /** Calls a tool in the protocol of 2026. Resolves with its data; rejects when it failed. */
  call(tool: string, input: Fields): Promise<Fields>;
  /** Calls a tool, with no other call at the same time. Resolves when the answer has come, which is not parsed. */
  callUnread(tool: string, input: Fields): Promise<void>;
  close(): Promise<void>;
}

interface Answer {
  readonly id: number;
  readonly result?: { readonly structuredContent?: Fields; readonly isError?: boolean };
}

/** Starts the server of a folder. */
export function startMcp(cwd: string, flags: readonly string[] = []): McpProcess {
  const env = { PATH: process.env["PATH"], HOME: cwd, XDG_CACHE_HOME: CACHE_HOME, LANG: "C.UTF-8" };
  const child = spawn(process.execPath, [BINARY, "mcp", "serve", ...flags], {
    cwd,
    env,
    stdio: ["pipe", "pipe", "inherit"],
  });
  const waiting = new Map<number, { resolve: (answer: Answer) => void; reject: (error: Error) => void }>();
  let held: Buffer[] = [];
  let id = 0;
  let isUnread = false;
  const take = (line: Buffer): void => {
    const answer = isUnread ? { id } : (JSON.parse(line.toString("utf8")) as Answer);
    waiting.get(answer.id)?.resolve(answer);
    waiting.delete(answer.id);
  };
  child.stdout.on("data", (chunk: Buffer) => {
    let from = 0;
    for (let end = chunk.indexOf(LF); end !== -1; end = chunk.indexOf(LF, from)) {
      take(Buffer.concat([...held, chunk.subarray(from, end)]));
      held = [];
      from = end + 1;
    }
    if (from < chunk.length) held.push(chunk.subarray(from));
  });
  const ended = once(child, "close");
  child.on("close", () => {
    for (const { reject } of waiting.values()) reject(new Error("the MCP server has ended"));
  });
  const ask = (method: string, params: Fields): Promise<Answer> =>
    new Promise((resolve, reject) => {
      id += 1;
      waiting.set(id, { resolve, reject });
      child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", id, method, params })}\n`);
    });
  return {
    discover: () => ask("server/discover", { _meta: META }),
    initialize: () => ask("initialize", HELLO),
    call: async (name, input) => {
      const { result } = await ask("tools/call", { name, arguments: input, _meta: META });
      if (result?.structuredContent !== undefined && result.isError !== true) return result.structuredContent;
      throw new Error(`${name} failed: ${JSON.stringify(result)}`);
    },
    callUnread: async (name, input) => {
      isUnread = true;
      await ask("tools/call", { name, arguments: input, _meta: META });
      isUnread = false;
    },
    close: async () => {
      child.stdin.end();
      await ended;
    },
  };
}
