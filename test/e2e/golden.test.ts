import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Envelope } from "claw-contract";
import { ENVELOPES, verbId } from "claw-contract";
import { describe, expect, test } from "vitest";
import { chooseSeed } from "../reliability/random.ts";
import { stopAfterTest } from "./daemon-process.ts";
import { part } from "./effort.ts";
import type { Scenario } from "./golden-scenarios.ts";
import { SCENARIOS } from "./golden-scenarios.ts";
import { normalise, volatileMembers } from "./normalise.ts";
import { clawJson, flatJson, responseJson } from "./run-claw.ts";
import { seed } from "./seed.ts";
import type { Workspace } from "./workspace.ts";
import { createWorkspace } from "./workspace.ts";
import { networkUse, watchNetwork } from "./watch-network.ts";

const FOLDER = fileURLToPath(new URL("../fixtures/json/", import.meta.url));
/** Set to write the answers of today over the fixtures; the difference is then for a reader to judge. */
const updating = process.env["UPDATE_FIXTURES"] === "1";

const names = Object.keys(SCENARIOS);
const fileOf = (name: string, envelope: Envelope | undefined): string => `${verbId(name)}.${envelope}.json`;
const expectedFiles = names.flatMap((name) => ENVELOPES.map((envelope) => fileOf(name, envelope))).sort();

const ASK = { claw: clawJson, flat: flatJson, response: responseJson };

/**
 * The body alone: the envelope's promises, exit, stderr and escape codes are checked where the call is made. No call uses
 * the network.
 */
async function answerIn(workspace: Workspace, { argv, env }: Scenario, envelope: Envelope): Promise<unknown> {
  const options = { env: { ...watchNetwork(workspace), ...env?.(workspace) } };
  const { exitCode: _checked, ...body } = await ASK[envelope](workspace, argv, options);
  expect(networkUse(workspace)).toEqual(["watching"]);
  return normalise(body, workspace);
}

async function prepared({ seeds, prepare }: Scenario): Promise<Workspace> {
  const workspace = createWorkspace();
  stopAfterTest(workspace);
  seed(workspace, seeds);
  await prepare?.(workspace);
  return workspace;
}

/** The answers in some envelopes: each in a folder of its own, or one after the other where that makes no difference. */
async function answersIn(envelopes: readonly Envelope[], scenario: Scenario): Promise<unknown[]> {
  if (!scenario.inOneFolder) {
    return Promise.all(envelopes.map(async (envelope) => answerIn(await prepared(scenario), scenario, envelope)));
  }
  const workspace = await prepared(scenario);
  const answers: unknown[] = [];
  for (const envelope of envelopes) answers.push(await answerIn(workspace, scenario, envelope));
  return answers;
}

const SEED = chooseSeed();
const OTHERS = ENVELOPES.filter((envelope) => envelope !== "claw");

/** The default envelope, and in every second scenario one of the others; all in `npm run soak` and for new fixtures. */
const envelopesOf = (index: number): Envelope[] => [
  "claw",
  ...(updating ? OTHERS : part(OTHERS, 2 * OTHERS.length, SEED + index)),
];

/** Stores nothing that only this machine would answer. */
function update(file: string, answer: unknown): void {
  expect(volatileMembers(answer).map((problem) => `${file}: ${problem}`)).toEqual([]);
  mkdirSync(FOLDER, { recursive: true });
  writeFileSync(join(FOLDER, file), `${JSON.stringify(answer, null, 2)}\n`);
}

describe(`the stored answers, with CLAW_SEED=${SEED}`, () => {
  test.each(Object.entries(SCENARIOS))("%s answers in its envelopes as it always did", async (name, scenario) => {
    const envelopes = envelopesOf(names.indexOf(name));
    const answers = await answersIn(envelopes, scenario);
    for (const [index, answer] of answers.entries()) {
      const file = fileOf(name, envelopes[index]);
      if (updating) update(file, answer);
      expect(answer).toEqual(JSON.parse(readFileSync(join(FOLDER, file), "utf8")));
    }
  });

  test("every verb has one for each envelope, and no file is left over", () => {
    const stored = existsSync(FOLDER) ? readdirSync(FOLDER).sort() : [];
    const strays = stored.filter((file) => !expectedFiles.includes(file));
    if (updating) for (const file of strays) rmSync(join(FOLDER, file));
    expect(updating ? expectedFiles : stored).toEqual(expectedFiles);
  });
});
