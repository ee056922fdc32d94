import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { DEFAULT_TOOLS } from "claw-contract/schemas";
import { expect, test } from "vitest";
import { BINARY, clawJson } from "./run-claw.ts";
import type { Workspace } from "./workspace.ts";
import { createWorkspace } from "./workspace.ts";

/** No client is installed. */
const ALONE = { env: { PATH: "/nowhere" } };

const mcp = (workspace: Workspace, ...args: string[]) => clawJson(workspace, ["mcp", ...args], ALONE);

type Entry = Readonly<Record<"client" | "scope" | "state" | "path" | "tools" | "current" | "error", unknown>>;

/** Entries that were found, by client and scope. */
async function entriesOf(workspace: Workspace): Promise<Readonly<Record<string, Entry>>> {
  const { entries } = (await mcp(workspace, "status")) as unknown as { entries: readonly Entry[] };
  const there = entries.filter(({ state }) => state !== "absent");
  return Object.fromEntries(there.map((entry) => [`${String(entry.client)} ${String(entry.scope)}`, entry]));
}

function put(path: string, servers: object): string {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, JSON.stringify({ mcpServers: servers }));
  return path;
}

const CLIENTS = ["claude", "codex", "gemini", "opencode", "cursor", "vscode"];

test("claw mcp status starts the entry of every client, and says how many tools it lists", async () => {
  const workspace = createWorkspace();
  expect(await entriesOf(workspace)).toEqual({});
  const paths = new Map<string, unknown>();
  for (const client of CLIENTS) paths.set(client, (await mcp(workspace, "install", client))["path"]);
  const works = { state: "works", tools: Object.keys(DEFAULT_TOOLS).length, current: true, error: null };
  const wanted = CLIENTS.map((client) => [`${client} user`, { ...works, path: paths.get(client) }]);
  expect(await entriesOf(workspace)).toMatchObject(Object.fromEntries(wanted));
  for (const client of CLIENTS) await mcp(workspace, "uninstall", client);
  expect(await entriesOf(workspace)).toEqual({});
});

test("it tells entries that fail, that another claw serves, or that are no claw", async () => {
  const workspace = createWorkspace();
  const gone = { command: process.execPath, args: ["/nowhere/claw.cjs", "mcp", "serve"] };
  const older = { command: process.execPath, args: [BINARY, "mcp", "serve", "--hold-seconds", "60"] };
  const seen = join(workspace.home, "seen");
  const other = { command: "/bin/sh", args: ["-c", `touch ${seen}`] };
  put(join(workspace.home, ".claude.json"), { claws: gone });
  put(join(workspace.home, ".gemini", "settings.json"), { claws: older });
  put(join(workspace.home, ".cursor", "mcp.json"), { claws: other });
  expect(await entriesOf(workspace)).toMatchObject({
    "claude user": { state: "fails", tools: null, error: expect.any(String) as unknown },
    "gemini user": { state: "works", current: false },
    "cursor user": { state: "foreign", tools: null },
  });
  expect(existsSync(seen)).toBe(false);
});

test("of a file of the folder, it starts only what claw writes there", async () => {
  const workspace = createWorkspace();
  const { path } = await mcp(workspace, "install", "gemini", "--scope", "project");
  const file = String(path);
  const { mcpServers } = JSON.parse(readFileSync(file, "utf8")) as { mcpServers: { claws: object } };
  const seen = join(workspace.home, "seen");
  const claw = join(workspace.cwd, "claw");
  writeFileSync(claw, `#!/bin/sh\ntouch ${seen}\n`, { mode: 0o755 });
  put(file, { claws: { ...mcpServers.claws, command: claw } });
  expect(await entriesOf(workspace)).toMatchObject({
    "gemini project": {
      state: "untried",
      error: expect.stringContaining("only what claw mcp install writes") as unknown,
    },
  });
  writeFileSync(file, "{");
  expect(await entriesOf(workspace)).toMatchObject({ "gemini project": { state: "unreadable" } });
  expect(existsSync(seen)).toBe(false);
});
