import { execFile } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { build } from "esbuild";
import { chooseClis, installAll } from "../../scripts/real/install.mjs";
import { CACHE_HOME } from "../child.ts";
import { EFFORT } from "../effort.ts";

const BINARY = fileURLToPath(new URL("../../packages/claw/bin/claw.cjs", import.meta.url));
const SCRIPT = fileURLToPath(new URL("plain-script.mjs", import.meta.url));
const MAX_OUTPUT_BYTES = 256 * 1024 * 1024;
const PROMPT = "What is the answer?";

const execute = promisify(execFile);

/** Loaded into a program before its own code: on exit it notes the most memory the process had. */
const PRELOAD = `
process.on("exit", () => require("node:fs").writeFileSync(process.env.BENCH_MEMORY, String(process.resourceUsage().maxRSS)));
`;

const codexConfig = (url: string): string => `
model = "gpt-5-codex"
model_provider = "bench"
check_for_update_on_startup = false

[model_providers.bench]
name = "bench"
base_url = "${url}/v1"
wire_api = "responses"
env_key = "OPENAI_API_KEY"
`;

/** Programs that ask the same question, in a folder of their own. */
export interface Contenders {
  script(): Promise<unknown>;
  claw(...flags: readonly string[]): Promise<unknown>;
  /** Undefined in a smoke run. */
  readonly codex: (() => Promise<unknown>) | undefined;
  /** A Node process that does nothing. */
  empty(): Promise<unknown>;
  /** The most memory of the last Node process, in megabytes. */
  peakMegabytes(): number;
}

/** Codex at the version that the tests with real CLIs pin, from their cache. A smoke run installs and compares nothing. */
function findCodex(): string | undefined {
  if (EFFORT === "smoke") return undefined;
  const { codex } = chooseClis({ newest: false });
  return installAll({ codex }).codex;
}

async function bundleScript(folder: string): Promise<string> {
  const outfile = join(folder, "plain-script.cjs");
  const target = { platform: "node", target: "node20.19", format: "cjs" } as const;
  await build({ entryPoints: [SCRIPT], outfile, bundle: true, minify: true, logLevel: "error", ...target });
  return outfile;
}

function environment(folder: string, url: string): NodeJS.ProcessEnv {
  return {
    PATH: process.env["PATH"],
    HOME: folder,
    XDG_CACHE_HOME: CACHE_HOME,
    LANG: "C.UTF-8",
    ANTHROPIC_API_KEY: "sk-ant-bench-0123456789abcdef",
    ANTHROPIC_BASE_URL: url,
    OPENAI_API_KEY: "sk-bench-0123456789abcdef",
    CODEX_HOME: join(folder, "codex"),
    BENCH_MEMORY: join(folder, "memory"),
  };
}

/** `url` is where Anthropic's API is spoken, `codexUrl` where OpenAI's is. */
export async function prepareContenders(folder: string, url: string, codexUrl: string): Promise<Contenders> {
  mkdirSync(join(folder, "codex"), { recursive: true });
  const script = await bundleScript(folder);
  const preload = join(folder, "preload.cjs");
  writeFileSync(preload, PRELOAD);
  writeFileSync(join(folder, "small.txt"), "a small file\n");
  writeFileSync(join(folder, "codex", "config.toml"), codexConfig(codexUrl));
  const env = environment(folder, url);
  const run = async (file: string, args: readonly string[]): Promise<string> => {
    const running = execute(file, [...args], { cwd: folder, env, maxBuffer: MAX_OUTPUT_BYTES });
    running.child.stdin?.end();
    return (await running).stdout;
  };
  const node = (...args: readonly string[]): Promise<string> => run(process.execPath, ["--require", preload, ...args]);
  const codex = findCodex();
  return {
    script: () => node(script, PROMPT, "a small file"),
    claw: (...flags) => node(BINARY, "-p", PROMPT, "--model", "claude-opus-4-5", ...flags),
    codex: codex === undefined ? undefined : () => run(codex, ["exec", "--skip-git-repo-check", PROMPT]),
    empty: () => node("-e", "0"),
    peakMegabytes: () => Number(readFileSync(join(folder, "memory"), "utf8")) / 1024,
  };
}
