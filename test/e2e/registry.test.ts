import { existsSync, readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import type { Body } from "./run-claw.ts";
import { clawJson } from "./run-claw.ts";
import type { Seed } from "./seed.ts";
import { seed, SEED_MS } from "./seed.ts";
import type { Workspace } from "./workspace.ts";
import { createWorkspace } from "./workspace.ts";

/** One entry of a registry at work: what is there, what is asked for, what comes of it. */
interface Trial {
  readonly seeds?: readonly Seed[];
  readonly words?: string;
  /** A page that is served, whose address is what is asked for. */
  readonly page?: string;
  readonly observe: (answer: Body, workspace: Workspace) => void;
}

const file = (path: string, text: string): Seed => ({ kind: "file", path, text });
const session: Seed = { kind: "session", id: "review", atMs: SEED_MS, prompts: ["review the parser"] };

const messageOf = (answer: Body): string => String(answer["message"]);

/** The work is done and what it says contains this. */
const says =
  (...texts: readonly string[]) =>
  (answer: Body): void => {
    expect(answer).toMatchObject({ handled: true, effect: "noop" });
    for (const text of texts) expect(messageOf(answer)).toContain(text);
  };

/** Nothing is done, because no session runs. */
const needsSession: Trial = {
  observe: (answer) => {
    expect(answer).toMatchObject({ exit_code: 0, handled: false, effect: "noop" });
    expect(messageOf(answer)).toMatch(/^No session runs/);
  },
};

const COMMANDS: Readonly<Record<string, Trial>> = {
  "add-dir": {
    words: "src/util",
    observe: (answer, { cwd }) => {
      expect(answer).toMatchObject({ handled: true, effect: "created" });
      expect(existsSync(join(cwd, "src/util"))).toBe(true);
    },
  },
  clear: needsSession,
  compact: needsSession,
  config: {
    seeds: [file(".claw/settings.json", '{"model":"model-from-settings"}')],
    words: "model",
    observe: says("model-from-settings", "settings.json"),
  },
  cost: { seeds: [session], observe: says("review", "input tokens   10", "output tokens  5", "unknown") },
  diff: {
    seeds: [{ kind: "repository", branch: "main" }, file("new.txt", "new")],
    observe: says("Not in git yet:\nnew.txt"),
  },
  doctor: { observe: says(" checks, ") },
  exit: needsSession,
  export: {
    seeds: [session],
    words: "notes.md",
    observe: (answer, { cwd }) => {
      expect(answer).toMatchObject({ handled: true, effect: "created" });
      expect(readFileSync(join(cwd, "notes.md"), "utf8")).toContain("review the parser");
    },
  },
  help: { observe: says("/add-dir FOLDER", "/version") },
  history: { seeds: [session], observe: says("1. review the parser") },
  init: {
    observe: (answer, { cwd }) => {
      expect(answer).toMatchObject({ handled: true, effect: "created" });
      expect(existsSync(join(cwd, ".claw/settings.json"))).toBe(true);
    },
  },
  mcp: {
    seeds: [
      file(
        "../home/.claw/settings.json",
        JSON.stringify({
          mcpServers: { "files.v2": { command: "serve-files" }, web: { url: "https://u:p@tools.example/x?k=v" } },
        }),
      ),
    ],
    observe: (answer) => {
      says("files.v2", "starts serve-files", "at tools.example")(answer);
      expect(messageOf(answer)).not.toMatch(/u:p|k=v/);
    },
  },
  memory: {
    seeds: [{ kind: "repository", branch: "main" }, file("AGENTS.md", "Be brief."), file("sub/AGENTS.md", "elsewhere")],
    observe: (answer, { cwd }) => {
      says(join(cwd, "AGENTS.md"))(answer);
      expect(messageOf(answer)).not.toContain("sub");
    },
  },
  model: needsSession,
  permissions: needsSession,
  resume: needsSession,
  sessions: { seeds: [session], observe: says("review") },
  skills: { observe: says("skills") },
  status: { observe: (answer, { cwd }) => says(cwd, "workspace-write")(answer) },
  todos: needsSession,
  tools: { observe: says("bash", "read_file") },
  version: { observe: says("claw ") },
};

/** The tool did its work and the model would read this. */
const yields =
  (text: string, effect = "noop") =>
  (answer: Body): void => {
    expect(answer).toMatchObject({ handled: true, is_error: false, effect });
    expect(answer["output"]).toContain(text);
  };

/** The tool did its work and the file holds this. */
const leaves =
  (text: string, effect: string) =>
  (answer: Body, { cwd }: Workspace): void => {
    expect(answer).toMatchObject({ handled: true, is_error: false, effect });
    expect(readFileSync(join(cwd, "note.txt"), "utf8")).toBe(text);
  };

const note = file("note.txt", "what it says\n");

const TOOLS: Readonly<Record<string, Trial>> = {
  bash: {
    words: "echo told > note.txt && cat note.txt",
    observe: (answer, workspace) => {
      leaves("told\n", "updated")(answer, workspace);
      expect(answer).toMatchObject({ message: "exit code 0", output: expect.stringContaining("told") as string });
    },
  },
  edit_file: {
    seeds: [note],
    words: JSON.stringify({ path: "note.txt", old_string: "says", new_string: "said" }),
    observe: leaves("what it said\n", "updated"),
  },
  agent: { words: "say what it says", observe: yields("say what it says") },
  skill: {
    seeds: [
      { kind: "file", path: ".claw/skills/tidy/SKILL.md", text: "---\ndescription: Tidies\n---\nSweep first.\n" },
    ],
    words: "tidy",
    observe: yields("Sweep first."),
  },
  glob_search: { seeds: [note], words: "*.txt", observe: yields("note.txt") },
  grep_search: { seeds: [note], words: "what it s", observe: yields("note.txt") },
  read_file: { seeds: [note], words: "note.txt", observe: yields("what it says") },
  todo_write: {
    words: JSON.stringify({ todos: [{ content: "Test it", activeForm: "Testing it", status: "pending" }] }),
    observe: yields("Test it"),
  },
  web_fetch: { page: "<p>what the page says</p>", observe: yields("what the page says") },
  write_file: {
    words: JSON.stringify({ path: "note.txt", content: "written" }),
    observe: leaves("written", "created"),
  },
};

/** The address of a server that has one page, as long as the test runs. */
async function servePage(page: string): Promise<string> {
  const server = createServer((_request, response) => response.setHeader("content-type", "text/html").end(page));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}

const namesIn = (answer: Body, list: string): string[] => (answer[list] as { name: string }[]).map(({ name }) => name);

describe("every entry works", () => {
  test("of the commands, and each is tried here", async () => {
    const graph = await clawJson(createWorkspace(), ["command-graph"]);
    expect(namesIn(graph, "builtins")).toEqual(Object.keys(COMMANDS).toSorted());
    expect([...namesIn(graph, "plugin_like"), ...namesIn(graph, "skill_like")]).toEqual([]);
  });

  test("of the tools, and each is tried here", async () => {
    const pool = await clawJson(createWorkspace(), ["tool-pool"]);
    expect(namesIn(pool, "tools").toSorted()).toEqual(Object.keys(TOOLS).toSorted());
  });

  test.each(Object.entries(COMMANDS))("/%s", async (name, { seeds = [], words = "", observe }) => {
    const workspace = createWorkspace();
    seed(workspace, seeds);
    const answer = await clawJson(workspace, ["exec-command", name, words]);
    expect(answer).toMatchObject({
      name,
      prompt: words,
      source_hint: `docs/chat.md#${name}`,
    });
    observe(answer, workspace);
  });

  test.each(Object.entries(TOOLS))("%s", async (name, { seeds = [], page, observe, ...trial }) => {
    const workspace = createWorkspace();
    seed(workspace, seeds);
    const words = page === undefined ? (trial.words ?? "") : await servePage(page);
    const mode = ["--permission-mode", "danger-full-access"];
    const env = { CLAW_MODEL: "scripted" };
    const answer = await clawJson(workspace, ["exec-tool", name, words, ...mode], { env });
    expect(answer).toMatchObject({ name, canonical_name: name, payload: words });
    observe(answer, workspace);
  });
});
