import { randomUUID } from "node:crypto";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { onTestFinished } from "vitest";
import type { TokenHolder } from "../../../bus/index.ts";
import { createHttpTransport } from "../../../bus/index.ts";
import type { McpTables } from "../../layer/mcp-tables.ts";
import type { ToolAnswer, McpToolCall, ToolDefinition } from "../../layer/tool.ts";
import type { FollowTasks } from "../open-listen.ts";
import { createHttpFace } from "../http-face.ts";

export const MODERN = "2026-07-28";
export const LEGACY = "2025-11-25";

const HINTS = { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false };

const tool = (name: string, run: (call: McpToolCall) => Promise<ToolAnswer> | ToolAnswer): ToolDefinition => ({
  name,
  title: name,
  description: name,
  inputSchema: { type: "object" },
  annotations: HINTS,
  run: async (_input, call) => run(call),
});

export interface HttpScene {
  readonly url: string;
  /** What happened to the guests and their calls, in order. */
  readonly happened: string[];
  /** Tells that a resource has changed. */
  changed(uri: string): void;
  /** Ends a guest as the bus would. */
  expel(token: string): void;
  /** Posts a message as a client of the new protocol would, with changes. */
  post(message: object, headers?: Readonly<Record<string, string | undefined>>): Promise<Response>;
  readonly ask: (init: RequestInit) => Promise<Response>;
  connect(version: string, token?: string): Promise<Client>;
  close(): Promise<void>;
}

const META = {
  "io.modelcontextprotocol/protocolVersion": MODERN,
  "io.modelcontextprotocol/clientInfo": { name: "test", version: "1" },
  "io.modelcontextprotocol/clientCapabilities": {},
};

/** A request of the new protocol. */
export const modern = (method: string, params: object = {}): object => ({
  jsonrpc: "2.0",
  id: 1,
  method,
  params: { ...params, _meta: META },
});

const holder = (token: string): TokenHolder => ({
  id: token,
  role: "orchestrator",
  peer: undefined,
  expiresAt: Infinity,
  once: false,
  issued: false,
  browser: false,
  bearer: token,
});

interface SceneOptions {
  readonly followTasks?: FollowTasks;
  /** Refuses a guest. */
  readonly refuse?: (token: string) => Error | undefined;
}

/** The face behind a real listener. Every text is a token, of an orchestrator of that name. */
export async function startHttpFace({ followTasks, refuse }: SceneOptions = {}): Promise<HttpScene> {
  const happened: string[] = [];
  const watches = new Map<string, Set<() => void>>();
  const guests = new Map<string, () => void>();
  const tables = (name: string): McpTables => ({
    server: { name: "claws", title: "claw", version: "1.0.0" },
    instructions: "Test.",
    tools: () =>
      Promise.resolve([
        tool("who", ({ caller }) => ({ kind: "result", text: caller.id })),
        tool("hang", ({ signal, progress }) => {
          void progress?.({ progress: 1 });
          happened.push("hang");
          return new Promise((_resolve, reject) => {
            signal.addEventListener("abort", () => {
              happened.push("aborted");
              reject(new Error("aborted"));
            });
          });
        }),
        tool("large", () => ({ kind: "result", text: "x".repeat(2 * 1024 * 1024) })),
      ]),
    failure: (error) => ({ kind: "result", isError: true, text: String(error) }),
    resources: {
      list: () => Promise.resolve({ resources: [] }),
      templates: [],
      read: () => Promise.resolve(undefined),
      watch: (uri, _caller, changed) => {
        const known = watches.get(uri) ?? new Set();
        watches.set(uri, known.add(changed));
        return () => {
          known.delete(changed);
          happened.push(`unwatched ${uri} by ${name}`);
        };
      },
    },
  });
  const face = createHttpFace({
    open: async ({ bearer }) => {
      const refusal = refuse?.(bearer);
      if (refusal !== undefined) throw refusal;
      happened.push(`open ${bearer}`);
      return {
        caller: { id: bearer, role: "orchestrator" },
        tables: { default: tables(bearer), all: tables(`${bearer}, all tools`) },
        ...(followTasks === undefined ? {} : { followTasks }),
        gone: new Promise<void>((resolve) => void guests.set(bearer, resolve)),
        close: () => Promise.resolve(void happened.push(`close ${bearer}`)),
      };
    },
  });
  const transport = createHttpTransport({
    host: "127.0.0.1",
    port: 0,
    mounts: [
      {
        path: "/mcp",
        readToken: (bearer) =>
          bearer === undefined ? { kind: "missing" } : { kind: "granted", grant: holder(bearer) },
        serve: face.serve,
      },
    ],
  });
  await transport.listen(() => {
    throw new Error("no client of the bus comes here");
  });
  const url = `${transport.address().url}/mcp`;
  const close = async (): Promise<void> => {
    await face.close();
    await transport.close();
  };
  onTestFinished(close);
  const ask = (init: RequestInit): Promise<Response> => {
    const headers = new Headers(init.headers);
    if (!headers.has("authorization")) headers.set("authorization", "Bearer one");
    return fetch(url, { ...init, headers });
  };
  return {
    url,
    happened,
    ask,
    close,
    changed: (uri) => watches.get(uri)?.forEach((tell) => tell()),
    expel: (token) => guests.get(token)?.(),
    post: (message, headers = {}) => {
      const { method, params } = message as { method?: string; params?: { name?: string; uri?: string } };
      const name = params?.name ?? params?.uri;
      const all: Record<string, string | undefined> = {
        "content-type": "application/json",
        accept: "application/json, text/event-stream",
        "mcp-protocol-version": MODERN,
        "mcp-method": method,
        "mcp-name": name,
        ...headers,
      };
      const given = Object.entries(all).filter((pair): pair is [string, string] => pair[1] !== undefined);
      return ask({ method: "POST", body: JSON.stringify(message), headers: Object.fromEntries(given) });
    },
    connect: async (version, token = "one") => {
      const client = new Client(
        { name: `test ${randomUUID()}`, version: "1" },
        { versionNegotiation: { mode: version === MODERN ? { pin: MODERN } : "legacy" } },
      );
      const headers = { authorization: `Bearer ${token}` };
      await client.connect(new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } }));
      onTestFinished(() => client.close());
      return client;
    },
  };
}
