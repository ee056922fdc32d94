import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { Answer } from "../model-server/model-scenario.ts";
import { broken, FAULTS, say } from "../model-server/model-scenario.ts";
import { runReal } from "./claw.ts";
import { HEADLESS_CLIS } from "./headless-clis.ts";
import type { RealScene } from "./real-scene.ts";
import { createRealScene } from "./real-scene.ts";

/** Names a model in the agent's own settings. */
const NAME_MODEL: Readonly<Record<"claude-code" | "codex", (scene: RealScene, model: string) => RealScene>> = {
  "claude-code": (scene, model) => ({ ...scene, env: { ...scene.env, ANTHROPIC_MODEL: model } }),
  codex: (scene, model) => {
    setCodexModel(scene, model);
    return scene;
  },
};

const OWN_MODEL = { "claude-code": "claude-haiku-4-5-20251001", codex: "gpt-5.4" } as const;

function setCodexModel({ env }: RealScene, model: string): void {
  const file = join(String(env["CODEX_HOME"]), "config.toml");
  writeFileSync(file, `model = "${model}"\n${readFileSync(file, "utf8")}`);
}

/** Words that come one after the other, in some eighty pieces. */
const slowly = (dripMs: number): Answer => ({ ...say("word ".repeat(200)), dripMs });

/** How a run is told of text while it is written; `codex exec` tells of none. */
const TELLS_PIECES = {
  "claude-code": [],
  codex: ["--on-permission", "command", "--permission-command", `echo '{"decision":"allow"}'`],
} as const;

describe.each(HEADLESS_CLIS)("$harness", ({ harness, flags, runs }) => {
  test("runs with the model of its own settings, and the result names it", async () => {
    const model = OWN_MODEL[harness];
    const scene = NAME_MODEL[harness](await createRealScene("text"), model);
    const { result } = await runReal(scene, harness);
    expect(scene.requests().map(({ body }) => (body as { model: string }).model)).toEqual([model]);
    expect(result).toMatchObject({ model, metadata: { model: null }, succeeded_cleanly: true });
  });

  test("is told from a model that refuses when the model's server has failed", async () => {
    const scene = await createRealScene({ turns: [FAULTS.serverError] });
    const { code, result } = await runReal(scene, harness, ...flags);
    expect([code, result.api_unavailable, result.succeeded]).toEqual(["UPSTREAM_UNAVAILABLE", true, false]);
  });

  test("that is cut off reports the text and the tokens that were seen", async () => {
    const scene = await createRealScene({ turns: [runs, broken(slowly(10), "hang", 40)] });
    const limit = ["--timeout-seconds", "15"];
    const { exitCode, code, result } = await runReal(scene, harness, ...flags, ...TELLS_PIECES[harness], ...limit);
    expect([exitCode, code, result.error_category]).toEqual([2, "TIMEOUT", "timeout"]);
    expect(result.output).toContain("word word");
    expect(result).toMatchObject({ usage_partial: true, succeeded: false });
    expect(result.input_tokens).toBeGreaterThanOrEqual(1000);
    expect(result.output_tokens).toBeGreaterThanOrEqual(20);
  });

  test("is not taken for silent while it writes one long text", async () => {
    const scene = await createRealScene({ turns: [slowly(150)] });
    const limit = ["--idle-timeout-seconds", "6"];
    const { exitCode, result } = await runReal(scene, harness, ...flags, ...TELLS_PIECES[harness], ...limit);
    expect([exitCode, result.error, result.succeeded_cleanly]).toEqual([0, null, true]);
  });
});

test("what Codex notes about a model it does not know is a warning of the run", async () => {
  const scene = await createRealScene("text");
  setCodexModel(scene, "unheard-of");
  const { result } = await runReal(scene, "codex");
  expect(result).toMatchObject({ model: "unheard-of", succeeded: true });
  expect(result.warnings).toContainEqual(expect.stringContaining("metadata"));
});
