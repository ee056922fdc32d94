import * as fc from "fast-check";
import type { JsonObject } from "claw-contract";
import { afterEach, expect, test } from "vitest";
import { temporaryFolder } from "../../files/testing/temporary-folder.ts";
import { createTestPorts } from "../../verbs/testing/test-ports.ts";
import { MCP_CAPABILITIES, clawsFace } from "../claws/claws-face.ts";
import { serve } from "../mcp-server.ts";
import { greet } from "./greeting.ts";
import { greetedStreams } from "./greeted-streams.ts";

const VERSION = "0.1.0";
const FACE = { ...clawsFace(VERSION), capabilities: MCP_CAPABILITIES };
const META = "io.modelcontextprotocol";

const CHOICES = { tools: "default", start: false, holdSeconds: 45 } as const;

const cleanups: (() => void)[] = [];
afterEach(() => cleanups.splice(0).forEach((clean) => clean()));

/** What the server itself answers to a first line. */
async function serverAnswer(line: string): Promise<unknown> {
  const ports = createTestPorts(
    temporaryFolder((clean) => cleanups.push(clean)),
    { toolVersion: VERSION },
  );
  return new Promise((resolve, reject) => {
    let end = (): void => undefined;
    const ended = new Promise<void>((done) => (end = done));
    const input = (async function* () {
      yield Buffer.from(`${line}\n`);
      await ended;
    })();
    const write = (bytes: Uint8Array): Promise<boolean> => {
      resolve(JSON.parse(Buffer.from(bytes).toString("utf8")));
      end();
      return Promise.resolve(true);
    };
    serve(CHOICES, ports, { input, write }).catch(reject);
  });
}

const clients = fc.oneof(
  fc.constant({ name: "client", version: "1.0.0" }),
  fc.constantFrom<unknown>(
    { name: "c", title: "C", version: "1", description: "A client", websiteUrl: "no url" },
    { name: "c" },
    { name: 1, version: "1" },
    { name: "c", version: "1", icons: [] },
    null,
    "c",
  ),
);

const capabilities = fc.oneof(
  fc.constantFrom<unknown>(
    {},
    { roots: {} },
    { roots: { listChanged: true }, elicitation: {} },
    { elicitation: { form: {}, url: {} }, extensions: { [`${META}/tasks`]: {} } },
    { sampling: {}, extensions: { other: { deep: 1 } } },
  ),
  fc.dictionary(
    fc.constantFrom("roots", "elicitation", "sampling", "extensions", "experimental", "tasks", "other"),
    fc.oneof(
      fc.constantFrom<unknown>(
        {},
        { listChanged: true },
        { form: {} },
        { form: 1 },
        { form: { applyDefaults: 1 } },
        1,
        null,
        [],
        "x",
      ),
    ),
    { maxKeys: 2 },
  ),
);

const ids = fc.oneof(fc.integer(), fc.string(), fc.constantFrom(0, 1, "1"));

const initializes = fc.record({
  jsonrpc: fc.constant("2.0"),
  id: ids,
  method: fc.constant("initialize"),
  params: fc.record(
    {
      protocolVersion: fc.constantFrom<unknown>(
        "2025-06-18",
        "2025-11-25",
        "2025-03-26",
        "2024-11-05",
        "2026-07-28",
        1,
      ),
      capabilities,
      clientInfo: clients,
    },
    { requiredKeys: ["protocolVersion", "capabilities"] },
  ),
});

const discovers = fc.record({
  jsonrpc: fc.constant("2.0"),
  id: ids,
  method: fc.constant("server/discover"),
  params: fc.record({
    _meta: fc.record(
      {
        [`${META}/protocolVersion`]: fc.constantFrom<unknown>("2026-07-28", "2025-11-25", "2099-01-01", null),
        [`${META}/clientInfo`]: clients,
        [`${META}/clientCapabilities`]: capabilities,
      },
      { requiredKeys: [`${META}/protocolVersion`, `${META}/clientCapabilities`] },
    ),
  }),
});

test("a greeting is what the server itself answers to the same message", async () => {
  await fc.assert(
    fc.asyncProperty(fc.oneof(initializes, discovers), async (message) => {
      const line = JSON.stringify(message);
      const greeting = greet(line, FACE);
      if (greeting === undefined) return;
      expect(greeting.answer).toEqual(await serverAnswer(line));
    }),
    { numRuns: 200 },
  );
});

const initialize = (more: JsonObject = {}) => ({
  jsonrpc: "2.0",
  id: 7,
  method: "initialize",
  params: { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "c", version: "1" }, ...more },
});

/** As Claude Code describes itself. */
const CLAUDE = { name: "claude-code", title: "Claude Code", version: "2", description: "d", websiteUrl: "https://x.y" };

test("the first messages of usual clients are greeted", () => {
  const tasks = { elicitation: { form: {} }, roots: {}, extensions: { [`${META}/tasks`]: {} } };
  const meta = {
    [`${META}/protocolVersion`]: "2026-07-28",
    [`${META}/clientInfo`]: CLAUDE,
    [`${META}/clientCapabilities`]: { ...tasks, roots: { listChanged: true }, elicitation: { form: {}, url: {} } },
  };
  const discover = { jsonrpc: "2.0", id: "a", method: "server/discover", params: { _meta: meta } };
  const messages = [initialize(), initialize({ capabilities: tasks }), discover];
  expect(messages.map((message) => greet(JSON.stringify(message), FACE)?.id)).toEqual([7, 7, "a"]);
});

test.each([
  ["no JSON", "{"],
  ["a list", JSON.stringify([initialize()])],
  ["another method", JSON.stringify({ ...initialize(), method: "ping" })],
  ["a name that objects inherit", JSON.stringify({ ...initialize(), method: "constructor" })],
  ["no id", JSON.stringify({ ...initialize(), id: null })],
  ["further members", JSON.stringify({ ...initialize(), extra: 1 })],
  ["a version that is not served", JSON.stringify(initialize({ protocolVersion: "1999-01-01" }))],
])("%s is left to the server", (_what, line) => {
  expect(greet(line, FACE)).toBeUndefined();
});

/** Sends chunks to a server that answers what it is told to; resolves with what the client and the server saw. */
async function converse(chunks: readonly string[], answers: readonly object[]) {
  const [heard, read]: [string[], string[]] = [[], []];
  const input = (async function* () {
    for (const chunk of chunks) yield Buffer.from(chunk);
  })();
  const write = (bytes: Uint8Array): Promise<boolean> => {
    heard.push(Buffer.from(bytes).toString("utf8"));
    return Promise.resolve(true);
  };
  const streams = await greetedStreams({ input, write }, FACE);
  const early = heard.length;
  for await (const bytes of streams.input) read.push(Buffer.from(bytes).toString("utf8"));
  for (const answer of answers) await streams.write(Buffer.from(`${JSON.stringify(answer)}\n`));
  return { early, heard: heard.map((line) => JSON.parse(line) as JsonObject), read: read.join("") };
}

test("a client is greeted before its server reads, and the server's own answer is left out once", async () => {
  const line = `${JSON.stringify(initialize())}\n`;
  const later = { jsonrpc: "2.0", id: 8, result: {} };
  const asked = { jsonrpc: "2.0", id: 7, method: "elicitation/create", params: {} };
  const own = { jsonrpc: "2.0", id: 7, result: { own: true } };
  const { early, heard, read } = await converse(
    [line.slice(0, 20), `${line.slice(20)}{"jsonrpc"`, ":1}\n"],
    [later, asked, own, own],
  );
  expect(early).toBe(1);
  expect(heard).toEqual([greet(line, FACE)?.answer, later, asked, own]);
  expect(read).toBe(`${line}{"jsonrpc":1}\n`);
});

test.each([
  ["ends within its first line", [JSON.stringify(initialize())]],
  ["begins with a line that is too long", [" ".repeat(70_000), `${JSON.stringify(initialize())}\n`]],
  ["says nothing", []],
])("a client that %s is left to the server, with every byte", async (_what, chunks) => {
  const { early, read } = await converse(chunks, []);
  expect([early, read]).toEqual([0, chunks.join("")]);
});
