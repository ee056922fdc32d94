import { existsSync, mkdirSync, mkdtempSync, readdirSync, readlinkSync, realpathSync, writeFileSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { onTestFinished } from "vitest";
import { removeFolder } from "../../packages/claw/src/files/testing/temporary-folder.ts";
import type { ModelScenario } from "../model-server/model-scenario.ts";
import type { ModelServer } from "../model-server/model-server.ts";
import { startModelServer } from "../model-server/model-server.ts";
import type { ScenarioName } from "../model-server/scenarios.ts";
import { SCENARIOS } from "../model-server/scenarios.ts";

/** A folder of its own for one run of a real CLI, its environment, and the model it will find. */
export interface RealScene {
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
  readonly server: ModelServer;
  /** What the CLI asked of the model, in order. */
  readonly requests: () => ReturnType<ModelServer["requests"]>;
  /** What the model said to the end, in order. */
  readonly answers: () => ReturnType<ModelServer["answers"]>;
}

const PROGRAMS = ["CLAW_REAL_CLAUDE", "CLAW_REAL_CODEX", "CLAW_REAL_GEMINI", "CLAW_REAL_OPENCODE"] as const;

function setting(name: (typeof PROGRAMS)[number] | "CLAW_REAL_WORK"): string {
  const value = process.env[name];
  if (value === undefined) throw new Error(`${name} is not set: use npm run test:real`);
  return value;
}

/** The CLIs take the nearest folder with a .git for the project, and what is there for the user's. */
function refuseRepository(folder: string): void {
  if (existsSync(join(folder, ".git"))) throw new Error(`${folder} is a repository; set CLAW_REAL_CACHE elsewhere`);
  if (dirname(folder) !== folder) refuseRepository(dirname(folder));
}

/** Name of a scenario that only one test has. */
const OWN = "own";

const FOLDERS = ["project", "home", "claude", "codex", "tmp"] as const;

/** Settings of Codex: the model is ours, and it gives up soon. */
const codexConfig = (url: string): string => `
model_provider = "scripted"
check_for_update_on_startup = false

[model_providers.scripted]
name = "scripted"
base_url = "${url}/v1"
wire_api = "responses"
env_key = "OPENAI_API_KEY"
request_max_retries = 1
stream_max_retries = 1
`;

/** Settings of opencode: the model is ours. */
const opencodeConfig = (url: string) => ({
  model: "scripted/scripted",
  provider: {
    scripted: {
      npm: "@ai-sdk/openai-compatible",
      options: { baseURL: `${url}/v1`, apiKey: "sk-fake-0000" },
      models: { scripted: { name: "scripted", tool_call: true } },
    },
  },
});

function environment(base: string, url: string): NodeJS.ProcessEnv {
  const bins = PROGRAMS.map((name) => dirname(setting(name)));
  return {
    PATH: [...bins, process.env["PATH"]].join(delimiter),
    LANG: "C.UTF-8",
    HOME: join(base, "home"),
    TMPDIR: join(base, "tmp"),
    CLAW_CONFIG_HOME: join(base, "home/.claw"),
    CLAUDE_CONFIG_DIR: join(base, "claude"),
    CLAUDE_CODE_TMPDIR: join(base, "tmp"),
    CODEX_HOME: join(base, "codex"),
    ANTHROPIC_BASE_URL: url,
    ANTHROPIC_API_KEY: "sk-ant-fake-0000",
    OPENAI_API_KEY: "sk-fake-0000",
    GOOGLE_GEMINI_BASE_URL: url,
    GEMINI_API_KEY: "fake-0000",
    OPENCODE_CONFIG_CONTENT: JSON.stringify(opencodeConfig(url)),
    OPENCODE_DISABLE_AUTOUPDATE: "1",
    OPENCODE_DISABLE_MODELS_FETCH: "1",
    OPENCODE_DISABLE_LSP_DOWNLOAD: "1",
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
    CLAUDE_CODE_MAX_RETRIES: "1",
    DISABLE_AUTOUPDATER: "1",
    DISABLE_TELEMETRY: "1",
    DISABLE_ERROR_REPORTING: "1",
  };
}

/** Makes a folder where nothing of the developer's is near, and a model that says what the scenario says. */
export async function createRealScene(scenario: ScenarioName | ModelScenario): Promise<RealScene> {
  const name = typeof scenario === "string" ? scenario : OWN;
  const work = realpathSync(setting("CLAW_REAL_WORK"));
  refuseRepository(work);
  const base = mkdtempSync(join(work, "run-"));
  const scenarios = typeof scenario === "string" ? SCENARIOS : { [OWN]: scenario };
  const server = await startModelServer({ scenarios });
  onTestFinished(async () => {
    await server.close();
    removeFolder(base);
  });
  for (const folder of FOLDERS) mkdirSync(join(base, folder));
  const cwd = join(base, "project");
  const url = server.baseUrl(name, cwd);
  writeFileSync(join(base, "codex/config.toml"), codexConfig(url));
  return {
    cwd,
    env: environment(base, url),
    server,
    requests: () => server.requests(cwd),
    answers: () => server.answers(cwd),
  };
}

/** Processes that work in a scene's folder. */
export function processesIn({ cwd }: RealScene): string[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => {
      try {
        return readlinkSync(`/proc/${pid}/cwd`).startsWith(cwd);
      } catch {
        // Gone meanwhile, or not ours to look at.
        return false;
      }
    });
}
