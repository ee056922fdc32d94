import type { Transport } from "@modelcontextprotocol/client";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { FakeScenarioText } from "claw-contract/schemas";
import { onTestFinished } from "vitest";
import { until } from "../../packages/claw/src/process/testing/until.ts";
import { spawnDaemon } from "../../packages/claw/src/daemon/index.ts";
import type { Frame } from "./daemon-process.ts";
import { readLog, stopAfterTest } from "./daemon-process.ts";
import { installFakes } from "./install-fakes.ts";
import { BINARY } from "./run-claw.ts";
import type { Workspace } from "./workspace.ts";
import { cleanEnvironment } from "./workspace.ts";

export const MODERN = "2026-07-28";
export const TASKS = "io.modelcontextprotocol/tasks";
const META = "io.modelcontextprotocol";

export interface LeadOptions {
  readonly version?: string;
  readonly tasks?: boolean;
  readonly forms?: boolean;
  readonly args?: readonly string[];
  /** Answers the form of a client of the older era. */
  readonly onForm?: (params: Frame) => Promise<Frame>;
}

/** The answer to a raw request. */
export interface RawAnswer {
  readonly result?: Frame;
  readonly error?: { readonly code: number; readonly message: string; readonly data?: Frame };
}

export interface Lead {
  readonly client: Client;
  readonly pid: number;
  /** Notifications of the server, in order. */
  readonly heard: Frame[];
  /** Sends a request below the SDK's codecs, which know no tasks. */
  raw(method: string, params?: Frame): Promise<RawAnswer>;
  /** The result of a tool, as it is on the wire. */
  call(name: string, input?: Frame, more?: Frame): Promise<Frame>;
  close(): Promise<void>;
}

/** Lets the test send its own requests over the SDK's transport, under ids that the SDK does not use. */
function sharedTransport(inner: Transport) {
  const waiting = new Map<string, (answer: RawAnswer) => void>();
  const heard: Frame[] = [];
  const outer: Transport = {
    start: () => {
      const receive: Transport["onmessage"] = (message, extra) => {
        const frame = message as unknown as Frame;
        if (frame["id"] === undefined) heard.push(frame);
        const answered = waiting.get(String(frame["id"]));
        if (answered === undefined || frame["method"] !== undefined) return outer.onmessage?.(message, extra);
        waiting.delete(String(frame["id"]));
        return answered(frame);
      };
      const closed = (): void => {
        for (const answered of waiting.values()) answered({ error: { code: 0, message: "closed" } });
        outer.onclose?.();
      };
      Object.assign(inner, { onmessage: receive, onclose: closed, onerror: (error: Error) => outer.onerror?.(error) });
      return inner.start();
    },
    send: (message, options) => inner.send(message, options),
    close: () => inner.close(),
  };
  let count = 0;
  const raw = (method: string, params: Frame): Promise<RawAnswer> => {
    const id = `raw-${(count += 1)}`;
    const answer = new Promise<RawAnswer>((resolve) => waiting.set(id, resolve));
    return inner.send({ jsonrpc: "2.0", id, method, params }).then(() => answer);
  };
  return { outer, raw, heard };
}

/** Starts `claw mcp serve`, and connects the SDK's client to it in an era. The process ends with the test. */
export async function connectLead(workspace: Workspace, options: LeadOptions = {}): Promise<Lead> {
  const { version = MODERN, tasks = false, forms = false, args = [], onForm } = options;
  const PATH = fakePath(workspace);
  const inner = new StdioClientTransport({
    command: process.execPath,
    args: [BINARY, "mcp", "serve", ...args],
    cwd: workspace.cwd,
    env: cleanEnvironment(workspace, { PATH }) as Record<string, string>,
    stderr: "inherit",
  });
  const { outer, raw, heard } = sharedTransport(inner);
  const capabilities = {
    ...(forms ? { elicitation: { form: {} } } : {}),
    ...(tasks ? { extensions: { [TASKS]: {} } } : {}),
  };
  const info = { name: "lead", version: "1" };
  const isModern = version === MODERN;
  const era = isModern
    ? { versionNegotiation: { mode: { pin: MODERN } } }
    : { supportedProtocolVersions: [version], ...(forms ? { capabilities: { elicitation: {} } } : {}) };
  const client = new Client(info, era);
  if (onForm !== undefined) {
    client.setRequestHandler("elicitation/create", async ({ params }) => (await onForm(params as Frame)) as never);
  }
  onTestFinished(() => client.close());
  await client.connect(outer);
  const envelope = {
    [`${META}/protocolVersion`]: version,
    [`${META}/clientInfo`]: info,
    [`${META}/clientCapabilities`]: capabilities,
  };
  const framed = (params: Frame): Frame =>
    isModern ? { ...params, _meta: { ...envelope, ...(params["_meta"] as Frame | undefined) } } : params;
  const send: Lead["raw"] = (method, params = {}) => raw(method, framed(params));
  return {
    client,
    pid: inner.pid ?? 0,
    heard,
    raw: send,
    call: async (name, input = {}, more = {}) => {
      const { result, error } = await send("tools/call", { name, arguments: input, ...more });
      if (error !== undefined) throw Object.assign(new Error(error.message), error);
      return result ?? {};
    },
    close: () => client.close(),
  };
}

const fakePath = ({ home }: Workspace): string => [join(home, "bin"), process.env["PATH"]].join(":");

/** Starts a daemon whose Claude Code is a fake that plays the scenario. It can be started again after a kill. */
export async function startLedDaemon(
  workspace: Workspace,
  scenario: FakeScenarioText,
  flags: readonly string[] = [],
): Promise<number> {
  const file = join(workspace.home, "scenario.json");
  mkdirSync(workspace.home, { recursive: true });
  writeFileSync(file, JSON.stringify(scenario));
  installFakes(workspace, file);
  stopAfterTest(workspace);
  return startAgain(workspace, flags);
}

/** Starts the daemon of the folder, as after a kill. Resolves with its process. */
export async function startAgain(workspace: Workspace, flags: readonly string[] = []): Promise<number> {
  const { cwd } = workspace;
  const up = ["up", "--foreground", "--output-format=json", "--envelope=claw", `--cwd=${cwd}`, ...flags];
  const env = cleanEnvironment(workspace, { PATH: fakePath(workspace) });
  const request = { cwd, argv: [process.execPath, BINARY, ...up] as const, env };
  return (await spawnDaemon(request, new AbortController().signal)).pid;
}

export const dataOf = (result: Frame | undefined): Frame => (result?.["structuredContent"] ?? {}) as Frame;

/** Asks for a task until it fits. */
export function untilTask(lead: Lead, taskId: string, what: string, fits: (task: Frame) => boolean): Promise<Frame> {
  return until(`the task to be ${what}`, async () => {
    const { result } = await lead.raw("tasks/get", { taskId });
    return result !== undefined && fits(result) ? result : undefined;
  });
}

/** Payloads of the events of a topic, in order. */
export const eventsOn = (workspace: Workspace, topic: string): Frame[] =>
  readLog(workspace)
    .filter((event) => event["topic"] === topic)
    .map((event) => ({ sequence: event["sequence"], ...(event["payload"] as Frame) }));
