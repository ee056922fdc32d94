import { createHash } from "node:crypto";
import { spawn } from "node:child_process";
import { readdirSync, readFileSync, realpathSync, rmSync, statSync } from "node:fs";
import { homedir } from "node:os";
import { basename, join } from "node:path";
import type { Metafile } from "esbuild";
import { build } from "esbuild";
import { beforeAll, afterAll, describe, expect, onTestFinished, test } from "vitest";
import { openPage } from "../packages/client/src/testing/chromium.ts";
import { createPageServer } from "../packages/client/src/testing/page-server.ts";
import { startUnixBus } from "../packages/client/src/testing/real-bus.ts";
import { temporaryFolder } from "../packages/claw/src/files/testing/temporary-folder.ts";
import type { Ended } from "../packages/claw/src/process/testing/output-of.ts";
import { outputOf } from "../packages/claw/src/process/testing/output-of.ts";
import { copyTree } from "../scripts/mutate/copy-tree.mjs";
import { pack } from "../scripts/pack.mjs";
import { consoleExamples, outputPattern } from "./packages/console-examples.ts";
import { missingSections } from "./packages/missing-sections.ts";
import type { OutsideProject } from "./packages/outside-project.ts";
import { createOutsideProject, REPOSITORY } from "./packages/outside-project.ts";
import { readmePrograms } from "./packages/readme-programs.ts";

const PREPARE_MS = 300_000;
const MEGABYTE = 1_000_000;
const CLONE = "From a clone";
const TSC = join(REPOSITORY, "node_modules/@typescript/native/bin/tsc");
const VITE = join(REPOSITORY, "node_modules/vite/bin/vite.js");

/** Bytes of one minified script with the whole SDK. */
const BROWSER_BYTES = 60_000;

/** The same with a zod schema of every event. */
const BROWSER_BYTES_WITH_ZOD = 120_000;

/** Bytes that a page with the whole SDK loads first, when its bundler splits it into files. */
const FIRST_BYTES = 45_000;

const base = realpathSync(temporaryFolder(afterAll));
let tarballs: string[] = [];
let project: OutsideProject;

beforeAll(async () => {
  tarballs = await pack(join(base, "packed"));
  project = await createOutsideProject(base, tarballs);
}, PREPARE_MS);

const filesBelow = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));

const bytesOf = (paths: readonly string[]): number => paths.reduce((sum, path) => sum + statSync(path).size, 0);

const digestsOf = (paths: readonly string[]): [string, string][] =>
  paths.map((path) => [basename(path), createHash("sha256").update(readFileSync(path)).digest("hex")]);

const installed = (name: string): string => join(project.folder, "node_modules", name);

describe("the tarballs", () => {
  test("are small, also installed", () => {
    expect(bytesOf(tarballs.filter((path) => basename(path).startsWith("claw-cli")))).toBeLessThan(8 * MEGABYTE);
    expect(bytesOf(filesBelow(join(project.folder, "node_modules")))).toBeLessThan(40 * MEGABYTE);
  });

  test.each(["claw-cli", "claw-client", "claw-contract"])("%s is complete, and holds nothing of its making", (name) => {
    const files = filesBelow(installed(name)).map((path) => path.slice(installed(name).length + 1));
    expect(files).toEqual(expect.arrayContaining(["LICENSE", "README.md", "CHANGELOG.md", "package.json"]));
    expect(files.filter((path) => /\.test\.|testing\/|\.cache$|(?<!\.d)\.ts$|tsconfig/.test(path))).toEqual([]);
    const manifest = JSON.parse(readFileSync(join(installed(name), "package.json"), "utf8")) as Record<string, unknown>;
    expect(manifest).toMatchObject({ name, license: "MIT", engines: { node: ">=20.19" } });
    for (const key of ["private", "devDependencies", "scripts"]) expect(manifest).not.toHaveProperty(key);
    const texts = files.map((path) => readFileSync(join(installed(name), path), "utf8"));
    const telling = [REPOSITORY, `${homedir()}/`, base].filter((place) => texts.some((text) => text.includes(place)));
    expect(telling).toEqual([]);
  });

  test("of the program has the licence of each package in its bundle", () => {
    const text = readFileSync(join(installed("claw-cli"), "THIRD-PARTY-LICENSES.txt"), "utf8");
    const { devDependencies } = JSON.parse(readFileSync(join(REPOSITORY, "packages/claw/package.json"), "utf8")) as {
      devDependencies: Record<string, string>;
    };
    const bundled = Object.entries(devDependencies).filter(([name]) => !name.startsWith("claw-"));
    const missing = bundled.filter(([name, version]) => !text.includes(`\n${name} ${version} (`));
    expect(missing).toEqual([]);
    const parts = text.split("-".repeat(80)).slice(1);
    expect(parts.filter((part) => !/copyright/i.test(part))).toEqual([]);
  });

  test("run no script when they are installed, and need few packages", () => {
    const { packages } = JSON.parse(readFileSync(join(project.folder, "package-lock.json"), "utf8")) as {
      packages: Record<string, { hasInstallScript?: boolean }>;
    };
    expect(Object.entries(packages).filter(([, { hasInstallScript }]) => hasInstallScript === true)).toEqual([]);
    const names = Object.keys(packages).filter((path) => path !== "" && !/-(?:linux|darwin|win32)-/.test(path));
    expect(names.map((path) => path.replace("node_modules/", ""))).toEqual([
      "@lydell/node-pty",
      "@vscode/ripgrep",
      "claw-cli",
      "claw-client",
      "claw-contract",
      "zod",
    ]);
  });

  test("bring pages whose links lead somewhere", () => {
    const folder = installed("claw-cli");
    const pages = filesBelow(folder).filter((path) => path.endsWith("README.md"));
    const links = pages.flatMap((page) => [...readFileSync(page, "utf8").matchAll(/\]\(([^)#:]+)(?:#[^)]*)?\)/g)]);
    const files = new Set(filesBelow(folder));
    expect(links.map(([, link = ""]) => link).filter((link) => !files.has(join(folder, link)))).toEqual([]);
  });
});

describe("the installed program", () => {
  test("shows its demonstration", async () => {
    const { exitCode, stderr } = await project.claw("demo", "--headless", "--once");
    expect({ exitCode, stderr }).toMatchObject({ exitCode: 0 });
  });

  test("answers a prompt", async () => {
    const { exitCode, stdout } = await project.claw("-p", "say hello", "--model", "scripted");
    expect({ exitCode, first: stdout.split("\n")[0] }).toEqual({ exitCode: 0, first: "say hello" });
  });

  test("names pages about its commands, tools and steps that were installed with it", async () => {
    const asked = ["command-graph", "tool-pool", "bootstrap-graph"].map(async (verb) => {
      const { stdout } = await project.claw(verb, "--output-format", "json");
      const { builtins, tools, steps } = JSON.parse(stdout) as Record<string, { source_hint: string }[] | undefined>;
      return (builtins ?? tools ?? steps ?? []).map((entry) => entry.source_hint);
    });
    const hints = await Promise.all(asked);
    expect(hints.filter((listed) => listed.length === 0)).toEqual([]);
    const ofServers = "docs/agent.md#mcp-servers";
    expect(missingSections(installed("claw-cli"), [...hints.flat(), ofServers])).toEqual([]);
  });

  test("searches with the ripgrep that it was installed with", async () => {
    project.write("needle.txt", "a needle\n");
    const { stdout } = await project.claw("exec-tool", "grep_search", "needle", "--output-format", "json");
    expect(JSON.parse(stdout)).toMatchObject({ handled: true, exit_code: 0 });
  });
});

describe("the README of the program", () => {
  const page = readFileSync(join(REPOSITORY, "packages/claw/README.md"), "utf8");

  test.each(consoleExamples(page))("`$command` prints what it shows", async ({ command, output, exit }) => {
    const bin = join(project.folder, "node_modules/.bin");
    const script = `PATH="${bin}:$PATH"; { ${command}\n} 2>&1`;
    const { exitCode, stdout } = await project.run("sh", "-c", script);
    expect({ exitCode, stdout: stdout.trimEnd() }).toEqual({
      exitCode: exit,
      stdout: expect.stringMatching(outputPattern(output)) as string,
    });
  });

  test("has such examples, and the first two ways of docs/install.md", () => {
    expect(consoleExamples(page).length).toBeGreaterThan(3);
    const install = readFileSync(join(REPOSITORY, "docs/install.md"), "utf8");
    const commands = [...page.matchAll(/^npm install .*?claw-cli/gm)].map(([text]) => text);
    expect([commands.length, commands.filter((command) => !install.includes(`${command}\n`))]).toEqual([2, []]);
  });
});

describe("a program of others", () => {
  /** Compiles all examples of the READMEs as an outsider does: strict, and with the types of all packages checked. */
  async function compile(): Promise<void> {
    for (const [name, text] of readmePrograms()) project.write(`examples/${name}.ts`, text);
    project.write("examples/names.d.ts", "declare const process: { readonly argv: readonly string[] };\n");
    const options = { strict: true, skipLibCheck: false, target: "es2022", module: "nodenext", lib: ["es2022", "dom"] };
    const compilerOptions = { ...options, types: [], rootDir: "examples", outDir: "built" };
    project.write("tsconfig.json", JSON.stringify({ compilerOptions, include: ["examples"] }));
    const { exitCode, stdout } = await project.run(process.execPath, TSC, "-p", ".");
    expect({ exitCode, stdout }).toEqual({ exitCode: 0, stdout: "" });
  }

  const runExample = async (name: string, ...args: string[]): Promise<string> => {
    const { exitCode, stdout, stderr } = await project.run(process.execPath, `built/${name}.js`, ...args);
    expect({ name, exitCode, stderr }).toEqual({ name, exitCode: 0, stderr: "" });
    return stdout;
  };

  test("in TypeScript runs every example of the READMEs", async () => {
    await compile();
    onTestFinished(async () => void (await project.claw("down")));
    expect(await project.claw("up", "--http", "127.0.0.1:0")).toMatchObject({ exitCode: 0 });
    const socket = join(project.folder, ".claws/claws.sock");
    const [, orchestrated] = await Promise.all([runExample("client-0", socket), runExample("client-2", socket)]);
    expect(orchestrated).toMatch(/^answered at 0001:\d+\n/);
    expect(await runExample("client-3", socket)).toContain("system.peer.joined");
    expect(await runExample("client-4", socket)).toContain("audited 7 files");
    expect(await runExample("client-7", socket)).toBe("BUS_UNREACHABLE true\n");
    const contract = [...readmePrograms().keys()].filter((name) => name.startsWith("contract-"));
    const printed = await Promise.all(contract.map((name) => runExample(name)));
    expect(printed).toEqual([
      "retry 2000\n",
      expect.stringMatching(/^session_not_found false /),
      "SESSION_NOT_FOUND review\n",
      "true read\n",
      "cmd-reject-v1 false\n",
      "true false\n",
    ]);
  });

  test("in an ES module imports the SDK", async () => {
    project.write("a.mjs", `import * as all from "claw-client"; console.log(typeof all.connectWorker);`);
    expect(await project.run(process.execPath, "a.mjs")).toMatchObject({ exitCode: 0, stdout: "function\n" });
  });

  test("in CommonJS imports the SDK", async () => {
    project.write("a.cjs", `import("claw-client/node").then((all) => console.log(typeof all.unixChannel));`);
    expect(await project.run(process.execPath, "a.cjs")).toMatchObject({ exitCode: 0, stdout: "function\n" });
  });
});

describe("a page with the SDK", () => {
  const page = (token: string): string => `
    import { connectOrchestrator, webSocketChannel } from "claw-client";
    const report = (what, body) => fetch("/" + what, { method: "POST", body: JSON.stringify(body) });
    const main = async () => {
      const channel = webSocketChannel("ws://" + location.host, { WebSocket });
      const client = connectOrchestrator({ channel, name: "page", bearer: ${JSON.stringify(token)} });
      const events = client.subscribe("cmd.**", { own: true });
      await client.injectText("p_000009", "from a page");
      const { value } = await events.next();
      await client.close();
      await report("told", value.data.text);
    };
    main().catch((error) => report("failed", { message: String(error) }));
  `;

  async function bundle(text: string, splitting: boolean): Promise<Metafile["outputs"]> {
    project.write("page.js", text);
    const { metafile } = await build({
      absWorkingDir: project.folder,
      entryPoints: ["page.js"],
      outdir: "bundled",
      bundle: true,
      minify: true,
      splitting,
      format: "esm",
      write: false,
      metafile: true,
    });
    return metafile.outputs;
  }

  const sizeOf = (outputs: Metafile["outputs"]): number =>
    Object.values(outputs).reduce((sum, { bytes }) => sum + bytes, 0);

  const WHOLE = `import * as sdk from "claw-client"; globalThis.sdk = sdk;`;

  test("is small in one file, and carries no schema library", async () => {
    const outputs = await bundle(WHOLE, false);
    expect(sizeOf(outputs)).toBeLessThan(BROWSER_BYTES);
    const inputs = Object.values(outputs).flatMap((output) => Object.keys(output.inputs));
    expect(inputs.filter((path) => path.includes("/zod/"))).toEqual([]);
  });

  test("is small in one file with the zod schemas of all events", async () => {
    const text = `${WHOLE} import * as events from "claw-contract/event-schemas"; globalThis.events = events;`;
    const outputs = await bundle(text, false);
    expect(sizeOf(outputs)).toBeLessThan(BROWSER_BYTES_WITH_ZOD);
    expect(Object.keys(outputs["bundled/page.js"]?.inputs ?? {}).join()).toContain("/zod/");
  });

  test("loads less at first when it is split into files", async () => {
    const outputs = await bundle(WHOLE, true);
    const first = new Set(["bundled/page.js"]);
    // A set that grows while it is read is read to its end.
    for (const path of first) {
      const atOnce = outputs[path]?.imports.filter(({ kind }) => kind === "import-statement") ?? [];
      for (const { path: imported } of atOnce) first.add(imported);
    }
    const bytes = [...first].reduce((sum, path) => sum + (outputs[path]?.bytes ?? Infinity), 0);
    expect(bytes).toBeLessThan(FIRST_BYTES);
  });

  test("cannot import what needs Node", async () => {
    const stdin = { contents: `import "claw-client/node"`, resolveDir: project.folder };
    await expect(build({ stdin, bundle: true, write: false, logLevel: "silent" })).rejects.toThrow("claw-client/node");
  });

  test("works in Chromium, bundled by Vite", async () => {
    const server = createPageServer();
    const web = await (await startUnixBus()).serveWeb({ role: "orchestrator", fallback: server.listen });
    project.write("page.js", page(web.token));
    const lib = `{ entry: "page.js", name: "page", formats: ["iife"], fileName: () => "page.js" }`;
    project.write("vite.config.mjs", `export default { logLevel: "error", build: { outDir: "vite", lib: ${lib} } };`);
    expect(await project.run(process.execPath, VITE, "build")).toMatchObject({ exitCode: 0 });
    server.serve(readFileSync(join(project.folder, "vite/page.js"), "utf8").replaceAll("</script", "<\\/script"));
    await openPage(web.url.replace("ws:", "http:"));
    expect(await server.report("told")).toBe("from a page");
  });
});

describe("docs/install.md", () => {
  const page = readFileSync(join(REPOSITORY, "docs/install.md"), "utf8");
  const scripts = page.split(/^## /m).flatMap((part): [string, string][] => {
    const lines = [...part.matchAll(/^```sh\n([\s\S]*?)^```$/gm)].map(([, text = ""]) => text);
    return lines.length === 0 ? [] : [[part.split("\n")[0] ?? "", lines.join("")]];
  });

  /** The command of the page, with the tarballs of this build in the place of the names in the registry. */
  const withTarballs = (script: string): string =>
    script.replaceAll(/^(npm install .*?)(claw-\w+)$/gm, (_all, before: string, name: string) => {
      // The registry would bring the contract along with the client.
      const needed = name === "claw-client" ? [name, "claw-contract"] : [name];
      return before + tarballs.filter((path) => needed.includes(basename(path).replace(/-\d.*$/, ""))).join(" ");
    });

  /** Runs commands of the page in a folder, with a folder for global packages and without a network. */
  async function runScript(script: string, folder: string): Promise<Ended> {
    const prefix = join(temporaryFolder(onTestFinished), "global");
    const { PATH = "", XDG_CACHE_HOME, HOME } = process.env;
    const npm = { npm_config_offline: "true", npm_config_fund: "false", npm_config_audit: "false" };
    const env = { PATH: `${prefix}/bin:${PATH}`, XDG_CACHE_HOME, HOME, npm_config_prefix: prefix, ...npm };
    const shell = spawn("sh", ["-e", "-c", script], { cwd: folder, env, stdio: ["ignore", "pipe", "pipe"] });
    const ended = await outputOf(shell);
    expect({ ...ended, stderr: ended.exitCode === 0 ? "" : ended.stderr }).toMatchObject({ exitCode: 0, stderr: "" });
    return ended;
  }

  const packaged = scripts.filter(([title]) => title !== CLONE);

  test.each(packaged)("%s", async (_title, script) => {
    const { stdout } = await runScript(withTarballs(script), temporaryFolder(onTestFinished));
    expect(stdout).toMatch(/claw \d|^\d+\.\d+\.\d+|say hello|function|session_not_found/m);
  });

  test(
    "From a clone in another folder, whose tarballs are the same bytes",
    async () => {
      const { folder, copy } = copyTree(REPOSITORY);
      onTestFinished(() => rmSync(folder, { recursive: true, force: true }), PREPARE_MS);
      // The clone builds its own.
      rmSync(join(copy, "packages/claw/dist"));
      const [, script = ""] = scripts.find(([title]) => title === CLONE) ?? [];
      const { stdout } = await runScript(script, copy);
      expect(stdout.match(/^claw \d+\.\d+\.\d+/gm)).toHaveLength(3);
      expect(realpathSync(join(copy, "packages/claw/dist"))).toBe(join(realpathSync(copy), "packages/claw/dist"));
      const made = tarballs.map((path) => join(copy, "tarballs", basename(path)));
      expect(digestsOf(made)).toEqual(digestsOf(tarballs));
    },
    PREPARE_MS,
  );

  test("has these ways", () => {
    expect(scripts.map(([title]) => title)).toEqual([
      "For you",
      "For one project",
      "Without terminals",
      "The SDK",
      CLONE,
    ]);
  });
});
