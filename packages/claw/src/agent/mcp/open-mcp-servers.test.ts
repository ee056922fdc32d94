import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { LIMITS } from "claw-contract";
import { describe, expect, onTestFinished, test } from "vitest";
import { temporaryFolder } from "../../files/testing/temporary-folder.ts";
import { identify, isRunning } from "../../process/process-identity.ts";
import type { AnyTool, ToolOutput } from "../tools/tool.ts";
import { openMcpServers } from "./open-mcp-servers.ts";
import { startHttpServer } from "./testing/http-server.ts";
import { startSseServer } from "./testing/sse-server.ts";

const PROGRAM = fileURLToPath(new URL("testing/stdio-server.mjs", import.meta.url));
const never = new AbortController().signal;

const stdio = (...args: string[]) => ({ command: process.execPath, args: [PROGRAM, ...args] });

async function open(config: Record<string, unknown>, signal = never) {
  const problems: string[] = [];
  const cwd = temporaryFolder(onTestFinished);
  const env = { PATH: process.env["PATH"], HOME: cwd, ANTHROPIC_API_KEY: "hidden-key", TEAM: "blue" };
  const around = { cwd, env, version: "0.0.0", onProblem: (text: string) => problems.push(text) };
  const opened = await openMcpServers(config, around, signal);
  const close = (): Promise<void> => opened.close();
  onTestFinished(close);
  const named = (name: string): AnyTool => {
    const found = opened.tools.find((tool) => tool.name === name);
    if (found === undefined) throw new Error(`there is no ${name}`);
    return found;
  };
  const call = (name: string, input: object = {}, abort = never): Promise<ToolOutput> =>
    named(name).run(input as never, { id: "1", progress: (text) => heard.push(text) }, abort);
  const heard: string[] = [];
  const { tools, servers, prompts } = opened;
  const states = () => opened.servers;
  return {
    tools,
    servers,
    prompts,
    states,
    toolNames: () => opened.tools.map(({ name }) => name),
    close,
    problems,
    named,
    call,
    heard,
  };
}

const isGone = (pid: number): boolean => !isRunning(identify(pid));

describe("a server that is a process", () => {
  test("offers its tools under names of its own, with what they say of themselves", async () => {
    const { tools, servers, problems, named } = await open({ "my server": stdio() });
    expect([servers, problems]).toEqual([
      [
        {
          name: "my server",
          status: "connected",
          error: null,
          toolCount: tools.length - 2,
          promptCount: 1,
          hasResources: true,
        },
      ],
      [],
    ]);
    expect(named("mcp__my_server__echo")).toMatchObject({
      responsibility: "Says it again.",
      description: "Says it again.\nMore.",
      mainField: "text",
      readOnly: true,
      inputSchema: { type: "object", required: ["text"] },
    });
    const needs = ["echo", "sum", "refuse", "look_at"].map((name) =>
      named(`mcp__my_server__${name}`).need({} as never),
    );
    expect(needs).toEqual([
      { kind: "foreign", mode: "read-only" },
      { kind: "foreign", mode: "workspace-write" },
      { kind: "foreign", mode: "danger-full-access" },
      { kind: "foreign", mode: "danger-full-access" },
    ]);
  });

  test("is called, and its results are told as texts", async () => {
    const { call } = await open({ s: stdio() });
    expect(await call("mcp__s__echo", { text: "hällo" })).toEqual({ output: "hällo", isError: false });
    expect(await call("mcp__s__sum")).toEqual({ output: 'it is three\n{"total":3}', isError: false });
    expect(await call("mcp__s__refuse")).toEqual({ output: "no such thing", isError: true });
    expect((await call("mcp__s__look_at")).output).toBe("[image: image/png, 3 bytes, not shown]");
    const { output } = await call("mcp__s__flood");
    expect(output.slice(LIMITS.mcpResultChars)).toBe("\n[200000 more characters are left out]");
    expect(await call("mcp__s__echo", { text: 5 })).toMatchObject({ isError: true });
  });

  test("gets the variables its settings name, and no key of the user's", async () => {
    const { call } = await open({ s: { ...stdio(), env: { TOKEN: "for-${TEAM}" } } });
    const { output } = await call("mcp__s__environment");
    const variables = JSON.parse(output) as Record<string, string>;
    expect(variables).toMatchObject({ TOKEN: "for-blue", PATH: process.env["PATH"] });
    expect(Object.keys(variables)).not.toEqual(expect.arrayContaining(["ANTHROPIC_API_KEY"]));
    expect(variables["TEAM"]).toBeUndefined();
  });

  test("that dies in a call gives an error, and is started again by the next call, with the tools it has then", async () => {
    const file = join(temporaryFolder(onTestFinished), "starts");
    const { call, states, toolNames } = await open({ s: stdio("changing", file) });
    expect(toolNames()).toContain("mcp__s__tool-1");
    const died =
      "The server s gave no result: it ended with exit 3: out of luck. The next call tries to reach it again";
    expect(await call("mcp__s__die")).toEqual({ output: died, isError: true });
    expect(states()).toMatchObject([{ status: "lost", error: "it ended with exit 3: out of luck" }]);
    const both = await Promise.all([call("mcp__s__echo", { text: "x" }), call("mcp__s__echo", { text: "y" })]);
    expect(both.map(({ output }) => output)).toEqual(["x", "y"]);
    expect([states()[0]?.status, readFileSync(file, "utf8")]).toEqual(["connected", "2"]);
    expect(toolNames().filter((name) => name.includes("tool-"))).toEqual(["mcp__s__tool-2"]);
  });

  test("that dies again and again is given up", async () => {
    const { call } = await open({ s: stdio() });
    for (let start = 0; start <= LIMITS.mcpRestarts; start += 1) await call("mcp__s__die");
    expect(await call("mcp__s__echo", { text: "x" })).toEqual({
      output: `The server s gave no result: it was lost ${LIMITS.mcpRestarts + 1} times in a row, the last time because it ended with exit 3: out of luck`,
      isError: true,
    });
  });

  test("has resources, which tools list and read", async () => {
    const { call, named } = await open({ s: stdio() });
    expect((await call("list_mcp_resources")).output).toBe(
      "s note://one: note, text/plain, The first note.\ns image://one: image, image/png",
    );
    expect(await call("read_mcp_resource", { server: "s", uri: "note://one" })).toEqual({
      output: "[resource note://one]\nremember",
      isError: false,
    });
    expect((await call("read_mcp_resource", { server: "s", uri: "image://one" })).output).toContain(
      "3 bytes, not shown",
    );
    expect(await call("read_mcp_resource", { server: "s", uri: "none://one" })).toMatchObject({ isError: true });
    await expect(call("list_mcp_resources", { server: "t" })).rejects.toMatchObject({ code: "TOOL_FAILED" });
    const reading = named("read_mcp_resource");
    const input = { server: "s", uri: "note://one" } as never;
    expect([reading.need(input), reading.subject(input)]).toEqual([
      { kind: "foreign", mode: "read-only" },
      "s:note://one",
    ]);
  });

  test("has prompts under names that can be typed, which take words as their arguments", async () => {
    const { prompts } = await open({ "my server": stdio() });
    const [review] = prompts;
    expect(review).toMatchObject({ name: "mcp__my_server__review_it", description: "Reviews a file. Well." });
    expect(await review?.get('"a file.ts" the edge cases', never)).toBe(
      "Review a file.ts, mind the edge cases.\n\n[assistant]\nGladly.",
    );
    await expect(review?.get("", never)).rejects.toMatchObject({
      code: "INVALID_FLAG_VALUE",
      hint: "/mcp__my_server__review_it FILE [FOCUS]",
    });
  });

  test("that does not answer a call in time gives an error, and can be called again", async () => {
    const { call } = await open({ s: { ...stdio(), toolCallTimeoutMs: 200 } });
    expect(await call("mcp__s__hang")).toEqual({
      output: "The server s gave no result: it did not answer in time",
      isError: true,
    });
    expect(await call("mcp__s__echo", { text: "x" })).toEqual({ output: "x", isError: false });
  });

  test("is told when a call is given up, which rejects with the reason", async () => {
    const { named, call, heard } = await open({ s: stdio() });
    const controller = new AbortController();
    const progress = (text: string): void => {
      heard.push(text);
      controller.abort(new Error("enough"));
    };
    const hang = named("mcp__s__hang").run({} as never, { id: "1", progress }, controller.signal);
    await expect(hang).rejects.toThrow("enough");
    expect(heard).toEqual(["begun"]);
    expect((await call("mcp__s__echo", { text: "x" })).output).toBe("x");
  });

  test("may print what it likes", async () => {
    const { call, problems } = await open({ s: stdio("chatty") });
    expect([await call("mcp__s__echo", { text: "x" }), problems]).toEqual([{ output: "x", isError: false }, []]);
  });

  test("is ended with everything it started, willing or not", async () => {
    const file = join(temporaryFolder(onTestFinished), "pids");
    const { close } = await open({ s: stdio("stubborn", file) });
    const pids = JSON.parse(readFileSync(file, "utf8")) as number[];
    expect(pids.map(isGone)).toEqual([false, false]);
    await Promise.all([close(), close()]);
    expect(pids.map(isGone)).toEqual([true, true]);
  });

  test("lists its tools in as many pages as it likes, up to a limit", async () => {
    const { tools, servers } = await open({ three: stdio("paged"), more: stdio("endless") });
    expect(servers.map(({ name, toolCount }) => [name, toolCount])).toEqual([
      ["three", 3],
      ["more", LIMITS.mcpPages],
    ]);
    expect(tools.slice(0, 3).map(({ name }) => name)).toEqual([0, 1, 2].map((page) => `mcp__three__tool-${page}`));
  });
});

describe("a server that cannot be used", () => {
  test("is reported and left out, and the others work", async () => {
    const { servers, problems, call } = await open({
      none: { command: "/no/such/program" },
      crash: stdio("crash"),
      boundless: stdio("boundless"),
      broken: { url: "nonsense" },
      fine: stdio(),
    });
    expect(servers.map(({ name, status, error }) => [name, status, error])).toEqual([
      ["none", "failed", "spawn /no/such/program ENOENT"],
      ["crash", "failed", "it ended with exit 1: cannot find the database"],
      ["boundless", "failed", "it sent a message that is too long"],
      ["fine", "connected", null],
      ["broken", "invalid", "url must be an address of http or https"],
    ]);
    expect(problems).toEqual([
      "The MCP server broken is left out: url must be an address of http or https.",
      "The MCP server none is left out: spawn /no/such/program ENOENT.",
      "The MCP server crash is left out: it ended with exit 1: cannot find the database.",
      "The MCP server boundless is left out: it sent a message that is too long.",
    ]);
    expect((await call("mcp__fine__echo", { text: "x" })).output).toBe("x");
  });

  test("and is required ends all of them", async () => {
    const file = join(temporaryFolder(onTestFinished), "pids");
    const config = { other: stdio("stubborn", file), needed: { ...stdio("crash"), required: true } };
    await expect(open(config)).rejects.toMatchObject({ code: "MCP_SERVER_UNAVAILABLE", target: "needed" });
    const pids = existsSync(file) ? (JSON.parse(readFileSync(file, "utf8")) as number[]) : [];
    expect(pids.map(isGone)).toEqual([true, true]);
    await expect(open({ needed: { required: true } })).rejects.toMatchObject({ code: "MCP_CONFIG_INVALID" });
  });

  test("because nobody waits any more is ended, and the reason is what it rejects with", async () => {
    const controller = new AbortController();
    const opening = open({ s: stdio("silent") }, controller.signal);
    setImmediate(() => controller.abort(new Error("enough")));
    await expect(opening).rejects.toThrow("enough");
    await expect(open({}, controller.signal)).rejects.toThrow("enough");
  });
});

describe("a server over HTTP", () => {
  test("is called with the headers of its settings, and left when it is closed", async () => {
    const server = await startHttpServer();
    onTestFinished(() => server.close());
    const { call, close } = await open({ web: { url: server.url, headers: { "X-Team": "${TEAM}" } } });
    expect(await call("mcp__web__echo", { text: "over HTTP" })).toEqual({ output: "over HTTP", isError: false });
    await close();
    expect(new Set(server.requests.map(({ headers }) => headers["x-team"]))).toEqual(new Set(["blue"]));
    expect(server.requests.at(-1)?.method).toBe("DELETE");
  });

  test("that was started anew is reached again by the next call", async () => {
    const server = await startHttpServer();
    onTestFinished(() => server.close());
    const { call } = await open({ web: { url: server.url } });
    await server.restart();
    expect(await call("mcp__web__echo", { text: "x" })).toMatchObject({ isError: true });
    expect(await call("mcp__web__echo", { text: "x" })).toEqual({ output: "x", isError: false });
  });

  test("of the older kind is called with its headers, and reached again when its stream breaks off", async () => {
    const server = await startSseServer();
    onTestFinished(() => server.close());
    const { call, heard, named } = await open({
      web: { type: "sse", url: server.url, headers: { "X-Team": "${TEAM}" } },
    });
    expect(await call("mcp__web__echo", { text: "over SSE" })).toEqual({ output: "over SSE", isError: false });
    const cut = (text: string): void => {
      heard.push(text);
      server.cut();
    };
    const pending = named("mcp__web__hang").run({} as never, { id: "1", progress: cut }, never);
    expect(await pending).toMatchObject({
      isError: true,
      output: expect.stringContaining("tries to reach it again") as string,
    });
    expect((await call("mcp__web__echo", { text: "again" })).output).toBe("again");
    expect(new Set(server.requests.map(({ headers }) => headers["x-team"]))).toEqual(new Set(["blue"]));
  });

  test("that goes away gives errors, and keeps nobody from closing", async () => {
    const server = await startHttpServer();
    const { call, close } = await open({ web: { url: server.url } });
    await server.close();
    expect(await call("mcp__web__echo", { text: "x" })).toMatchObject({ isError: true });
    await close();
  });

  test("that nobody runs is left out", async () => {
    const server = await startHttpServer();
    await server.close();
    const { servers } = await open({ web: { url: server.url } });
    expect(servers).toMatchObject([{ status: "failed", error: expect.stringContaining("ECONNREFUSED") as string }]);
  });
});

test("no settings are no servers", async () => {
  const { tools, servers } = await open({});
  expect([tools, servers]).toEqual([[], []]);
});
