import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import type { HostedTerminalRequest, HostPush, Terminal, TerminalFact } from "claw-contract";
import { temporaryFolder } from "../../files/testing/temporary-folder.ts";
import type { HostAddress, HostClient } from "../client/host-client.ts";
import { connectHost } from "../client/host-client.ts";
import { readHostToken } from "../storage/host-token.ts";
import { loadPty } from "../pty/load-pty.ts";
import { runHost } from "../host/run-host.ts";

export interface TestClient extends HostClient {
  /** What came of the output of a terminal. */
  output(id: string): Buffer;
  readonly facts: TerminalFact[];
  readonly pushes: HostPush[];
}

export interface TestHost {
  readonly folder: string;
  readonly socket: string;
  connect(): Promise<TestClient>;
  stop(): Promise<void>;
}

const PATIENCE_MS = 100_000;

export async function connectTestClient(address: HostAddress): Promise<TestClient> {
  const pushes: HostPush[] = [];
  const facts: TerminalFact[] = [];
  const outputs = new Map<string, Buffer[]>();
  const client = await connectHost(address, {
    push: (push) => {
      if (push.push === "output") {
        outputs.set(push.terminalId, [...(outputs.get(push.terminalId) ?? []), Buffer.from(push.data, "base64")]);
      } else if (push.push === "fact") facts.push(push.fact);
      pushes.push(push);
    },
    closed: () => undefined,
  });
  onTestFinished(() => client.close());
  return {
    ...client,
    facts,
    pushes,
    output: (id) => Buffer.concat(outputs.get(id) ?? []),
  };
}

/** A terminal host with real terminals, in this process. It ends with the test. */
export async function startTestHost(
  given: { readonly idleMs?: number; readonly folder?: string } = {},
): Promise<TestHost & { readonly ended: Promise<void> }> {
  const { folder = join(temporaryFolder(onTestFinished), ".claws"), ...idle } = given;
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const socket = join(folder, "terminals.sock");
  const stopping = new AbortController();
  const report = (problem: string): void => {
    throw new Error(`the host reported: ${problem}`);
  };
  const options = { folder, socket, pty: loadPty(), report, ...idle };
  const ended = runHost(options, stopping.signal);
  const stop = (): Promise<void> => {
    stopping.abort();
    return ended;
  };
  onTestFinished(stop);
  const connect = async (): Promise<TestClient> => {
    for (const deadline = Date.now() + PATIENCE_MS; ;) {
      try {
        return await connectTestClient({ socket, token: readHostToken(folder) });
      } catch (error) {
        if (Date.now() > deadline) throw error;
        await new Promise((resolve) => setImmediate(resolve));
      }
    }
  };
  return { folder, socket, connect, stop, ended };
}

const ENV = { PATH: process.env["PATH"] ?? "/usr/bin:/bin", HOME: "/", TERM: "xterm-256color", LC_ALL: "C.UTF-8" };

export const request = (terminalId: string, more: Partial<HostedTerminalRequest> = {}): HostedTerminalRequest => ({
  terminalId,
  name: `terminal ${terminalId}`,
  cwd: "/",
  ...more,
  env: { ...ENV, ...more.env },
});

/** Opens a terminal. */
export async function open(
  client: HostClient,
  id: string,
  more: Partial<HostedTerminalRequest> = {},
): Promise<Terminal> {
  return (await client.ask("create", { terminal: request(id, more) })).terminal;
}
