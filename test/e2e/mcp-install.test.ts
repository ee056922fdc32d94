import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
  lstatSync,
} from "node:fs";
import { spawnSync } from "node:child_process";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { refused, snapshot } from "./provocations.ts";
import { BINARY, clawJson, runClaw } from "./run-claw.ts";
import type { Workspace } from "./workspace.ts";
import { createWorkspace } from "./workspace.ts";

const TOKEN = "tok-5f1c9e77";

/** A file of each client that a person has written by hand: comments, odd spaces, keys. */
const FILES = {
  claude: { file: ".claude.json", text: `{"numStartups":3,"mcpServers":{"x":{"env":{"K":"${TOKEN}"}}},"z":1}` },
  codex: {
    file: ".codex/config.toml",
    text: `# mine\nmodel =   "x"\ntext = """\n[mcp_servers.claws]\n"""\n[mcp_servers.x]\nenv = { K = "${TOKEN}" } # why`,
  },
  gemini: {
    file: ".gemini/settings.json",
    text: `{\n    // mine\n    "mcpServers": {\n        "x": { "env": { "K": "${TOKEN}" } }, // why\n    },\n}\n`,
  },
  opencode: {
    file: ".config/opencode/opencode.jsonc",
    text: `{\r\n\t"mcp": {\r\n\t\t"x": { "environment": { "K": "${TOKEN}" } }\r\n\t}\r\n}\r\n`,
  },
  cursor: { file: ".cursor/mcp.json", text: `\uFEFF{\n  "mcpServers": {}\n}` },
  vscode: { file: ".config/Code/User/mcp.json", text: `{ "inputs": [], "servers": { "x": { "url": "http://y" } } }\n` },
} as const;

type Client = keyof typeof FILES;

const CLIENTS = Object.entries(FILES).map(([client, { file, text }]) => ({ client: client as Client, file, text }));

/** No client is installed. */
const ALONE = { env: { PATH: "/nowhere" } };

function put({ home }: Workspace, client: Client, text: string | Buffer = FILES[client].text): string {
  const path = join(home, FILES[client].file);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text, { mode: 0o640 });
  return path;
}

const change = (workspace: Workspace, ...args: string[]) => clawJson(workspace, ["mcp", ...args], ALONE);

describe.each(CLIENTS)("claw mcp install $client", ({ client, file, text }) => {
  test("adds one entry, shows it without the keys of the file, and is undone byte for byte", async () => {
    const workspace = createWorkspace();
    const path = put(workspace, client);
    const plan = await change(workspace, "install", client, "--dry-run");
    expect(plan).toMatchObject({ effect: "would_update", would_affect: [path], backup: null });
    expect(readFileSync(path, "utf8")).toBe(text);

    const done = await change(workspace, "install", client);
    expect(done).toMatchObject({ effect: "updated", via: "file", path, diff: plan["diff"] });
    expect(done["argv"]).toEqual([process.execPath, BINARY, "mcp", "serve"]);
    expect(readFileSync(String(done["backup"]), "utf8")).toBe(text);
    const written = readFileSync(path, "utf8");
    expect(written.startsWith("\uFEFF")).toBe(text.startsWith("\uFEFF"));
    expect(written.includes("\r\n")).toBe(text.includes("\r\n"));
    expect(written.replaceAll("\r\n", "").includes("\n")).toBe(text.replaceAll("\r\n", "").includes("\n"));
    expect(statSync(path).mode & 0o777).toBe(0o640);
    expect(await change(workspace, "install", client)).toMatchObject({ effect: "noop", diff: "", backup: null });

    const gone = await change(workspace, "uninstall", client);
    expect(gone).toMatchObject({ effect: "updated", restored: true });
    expect(readFileSync(path, "utf8")).toBe(text);
    expect(await change(workspace, "uninstall", client)).toMatchObject({ effect: "noop" });
    expect(JSON.stringify([plan, done, gone])).not.toContain(TOKEN);
  });

  test("keeps what the user does to the file and the entry afterwards", async () => {
    const workspace = createWorkspace();
    const path = put(workspace, client);
    await change(workspace, "install", client);
    const mark = client === "codex" ? "# later\n" : "// later\n";
    writeFileSync(path, readFileSync(path, "utf8").replace(/^(\uFEFF?)/, `$1${mark}`));
    expect(await change(workspace, "install", client, "--tools", "all", "--start")).toMatchObject({
      effect: "updated",
      argv: [process.execPath, BINARY, "mcp", "serve", "--tools=all", "--start"],
    });
    expect(readFileSync(path, "utf8")).toContain("--tools=all");
    expect(await change(workspace, "uninstall", client)).toMatchObject({ effect: "updated", restored: false });
    const left = readFileSync(path, "utf8").replace(mark, "");
    expect(left.replace(/\n$/, "")).toBe(client === "cursor" ? text.replace("{}", "{}") : text.replace(/\n$/, ""));
  });

  test("makes a file where there is none, and removes it again", async () => {
    const workspace = createWorkspace();
    const path = join(workspace.home, file.replace("jsonc", "json"));
    expect(await change(workspace, "install", client)).toMatchObject({ effect: "created", path, backup: null });
    expect(statSync(path).mode & 0o777).toBe(0o600);
    // Of the clients, only Codex starts its first turn without the tools of a server that is slow to start.
    expect(readFileSync(path, "utf8").includes("startup_timeout_sec = 60")).toBe(client === "codex");
    expect(await change(workspace, "uninstall", client)).toMatchObject({ effect: "deleted", restored: true });
    expect(existsSync(path)).toBe(false);
  });

  test("writes no path of this machine into a file of the project", async () => {
    const workspace = createWorkspace();
    const done = await change(workspace, "install", client, "--scope", "project");
    expect(done).toMatchObject({ effect: "created", argv: ["claw", "mcp", "serve"] });
    const written = readFileSync(String(done["path"]), "utf8");
    expect(String(done["path"]).startsWith(workspace.cwd)).toBe(true);
    expect(written).not.toContain(dirname(workspace.cwd));
    expect(written).not.toContain(process.execPath);
  });
});

describe("a file that claw must not edit", () => {
  const broken = {
    "a half-written file": "{",
    "a file that is no text": Buffer.from([0x7b, 0xff, 0x7d]),
    "servers that are no object": '{ "mcpServers": 1 }',
    "a file without end": "[".repeat(100_000),
  };

  test.each(Object.entries(broken))("stays as it is: %s", async (_name, text) => {
    const workspace = createWorkspace();
    const path = put(workspace, "gemini", text);
    const before = snapshot(workspace.home);
    for (const verb of ["install", "uninstall"]) {
      const error = await refused(workspace, ["mcp", verb, "gemini"], ALONE);
      expect(error.code).toBe("MCP_CLIENT_CONFIG_INVALID");
      expect(error.message).toContain(path);
    }
    expect(snapshot(workspace.home)).toEqual(before);
  });

  test("is one that is read-only, a folder, or a link that leads nowhere", async () => {
    const workspace = createWorkspace();
    chmodSync(put(workspace, "gemini"), 0o440);
    expect(await refused(workspace, ["mcp", "install", "gemini"], ALONE)).toMatchObject({ code: "FILE_ACCESS_DENIED" });
    mkdirSync(join(workspace.home, FILES.cursor.file), { recursive: true });
    expect(await refused(workspace, ["mcp", "install", "cursor"], ALONE)).toMatchObject({ code: "FILESYSTEM_ERROR" });
    symlinkSync("nowhere", join(workspace.home, FILES.claude.file));
    expect(await refused(workspace, ["mcp", "install", "claude"], ALONE)).toMatchObject({ code: "FILESYSTEM_ERROR" });
    spawnSync("mkfifo", [join(workspace.cwd, ".mcp.json")]);
    const pipe = ["mcp", "install", "claude", "--scope", "project"];
    expect(await refused(workspace, pipe, ALONE)).toMatchObject({ code: "FILESYSTEM_ERROR" });
  });

  test("is one outside of the project, where a link of the project leads", async () => {
    const workspace = createWorkspace();
    const path = put(workspace, "codex");
    symlinkSync(dirname(path), join(workspace.cwd, ".codex"));
    const args = ["mcp", "install", "codex", "--scope", "project"];
    expect(await refused(workspace, args, ALONE)).toMatchObject({ code: "FILE_ACCESS_DENIED" });
    expect(readFileSync(path, "utf8")).toBe(FILES.codex.text);
  });

  test("is a server of the same name; --replace puts claw's in its place, and uninstall brings it back", async () => {
    const workspace = createWorkspace();
    const text = `{ "mcpServers": { "claws": { "command": "mine", "args": ["--token", "${TOKEN}"] } } }`;
    const path = put(workspace, "cursor", text);
    expect(await refused(workspace, ["mcp", "install", "cursor"], ALONE)).toMatchObject({
      code: "MCP_CLIENT_ENTRY_TAKEN",
    });
    expect(await change(workspace, "uninstall", "cursor")).toMatchObject({ effect: "noop" });
    const done = await change(workspace, "install", "cursor", "--replace");
    expect(done).toMatchObject({ effect: "updated" });
    expect(JSON.stringify(done)).not.toContain(TOKEN);
    expect(await change(workspace, "uninstall", "cursor")).toMatchObject({ restored: true });
    expect(readFileSync(path, "utf8")).toBe(text);
  });
});

test("a link of the user stays a link, and the file it names is edited", async () => {
  const workspace = createWorkspace();
  const kept = put(workspace, "codex");
  const named = join(workspace.home, "codex/config.toml");
  mkdirSync(dirname(named));
  symlinkSync(kept, named);
  const options = { env: { ...ALONE.env, CODEX_HOME: dirname(named) } };
  await clawJson(workspace, ["mcp", "install", "codex"], options);
  expect(lstatSync(named).isSymbolicLink()).toBe(true);
  expect(readFileSync(kept, "utf8")).toContain("mcp serve".split(" ")[1]);
  await clawJson(workspace, ["mcp", "uninstall", "codex"], options);
  expect(readFileSync(kept, "utf8")).toBe(FILES.codex.text);
});

test("calls at one time leave one entry, and lose nothing", async () => {
  const workspace = createWorkspace();
  const path = put(workspace, "gemini");
  const calls = Array.from({ length: 6 }, (_, index) =>
    runClaw(workspace, ["mcp", "install", "gemini", ...(index % 2 === 0 ? ["--start"] : [])], ALONE),
  );
  expect((await Promise.all(calls)).map(({ exitCode }) => exitCode)).toEqual([0, 0, 0, 0, 0, 0]);
  expect(readFileSync(path, "utf8").match(/"claws"/g)).toHaveLength(1);
  await change(workspace, "uninstall", "gemini");
  expect(readFileSync(path, "utf8")).toBe(FILES.gemini.text);
  expect(readdirSync(dirname(path))).toEqual(["settings.json"]);
});
