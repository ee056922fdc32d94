import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { results } from "./agent-scene.ts";
import type { Attack } from "./escape-attacks.ts";
import { SHELL_READS, SHELL_WRITES } from "./escape-attacks.ts";
import { FILE_ATTACKS } from "./escape-file-attacks.ts";
import type { Cage, Call, EscapeScene, Place } from "./escape-scene.ts";
import { CAGES, CANARY, decisionsOf, openEscapeScene } from "./escape-scene.ts";
import type { Body } from "./run-claw.ts";

interface Aimed {
  readonly attack: Attack;
  readonly place: Place;
  readonly file: string;
  readonly calls: readonly Call[];
}

/** Each attack at one of the places, so that all of them are tried. */
const aim = (attacks: readonly Attack[], places: readonly Place[]): Aimed[] =>
  attacks.map((attack, index) => {
    const place = places[index % places.length] as Place;
    const file = `planted-${index}`;
    return { attack, place, file, calls: attack.calls(place, file) };
  });

interface Raid {
  readonly scene: EscapeScene;
  readonly body: Body;
  /** What each attack came to. */
  readonly outcomes: readonly (Aimed & {
    readonly outputs: readonly string[];
    readonly decisions: readonly string[];
  })[];
}

async function raid(
  attacks: readonly Attack[],
  cage: Cage,
  at?: (scene: EscapeScene) => readonly Place[],
): Promise<Raid> {
  const plan = (open: EscapeScene): Aimed[] => aim(attacks, at?.(open) ?? open.places);
  const scene = await openEscapeScene((open) => ({ calls: plan(open).flatMap(({ calls }) => calls) }), cage);
  const body = await scene.ask("go");
  expect(body).toMatchObject({ exit_code: 0, message: "Done.", stop_reason: "completed" });
  const outputs = results(body).map(({ output }) => output);
  const decisions = decisionsOf(body);
  let from = 0;
  const outcomes = plan(scene).map((aimed) => {
    const [start, end] = [from, (from += aimed.calls.length)];
    return { ...aimed, outputs: outputs.slice(start, end), decisions: decisions.slice(start, end) };
  });
  return { scene, body, outcomes };
}

const succeeded = ({ attack, place, file, outputs }: Raid["outcomes"][number]): boolean =>
  attack.kind === "read" ? outputs.join("").includes(CANARY) : existsSync(join(place.path, file));

const named = (outcomes: Raid["outcomes"]): string[] => outcomes.map(({ attack }) => attack.name);

const TABLES = [
  ["shell, reading", SHELL_READS],
  ["shell, writing", SHELL_WRITES],
  ["files", FILE_ATTACKS],
] as const;

describe.each(TABLES)("%s", (_, attacks) => {
  test("without a cage every attack works, so that it is one", async () => {
    const { outcomes } = await raid(attacks, { mode: "danger-full-access", sandboxed: false });
    const failed = outcomes.filter((outcome) => outcome.attack.inert !== true && !succeeded(outcome));
    expect(failed.map(({ attack, outputs }) => [attack.name, outputs])).toEqual([]);
  });

  test.each(CAGES)("nothing gets out: $mode, sandbox: $sandboxed", async (cage) => {
    const { scene, body, outcomes } = await raid(attacks, cage);
    expect(named(outcomes.filter(succeeded))).toEqual([]);
    scene.expectUnharmed(body);
    // In the sandbox commands do run, and it is the sandbox that holds them.
    const commands = outcomes.filter(({ calls }) => calls[0]?.[0] === "bash" && calls.length === 1);
    const wanted = cage.sandboxed ? "made" : "denied";
    expect(named(commands.filter(({ decisions }) => decisions[0] !== wanted))).toEqual([]);
  });
});

test("in the workspace the same writes work", async () => {
  const inside = (scene: EscapeScene): Place[] => [{ name: "beside", path: join(scene.root, "sub"), way: "sub" }];
  const attacks = SHELL_WRITES.filter(
    ({ name, inert }) => inert !== true && !/link|victim|sed -i|rm|mv|chmod/.test(name),
  );
  const { outcomes } = await raid(attacks, { mode: "workspace-write", sandboxed: true }, inside);
  const failed = outcomes.filter((outcome) => !succeeded(outcome));
  expect(failed.map(({ attack, outputs }) => [attack.name, outputs])).toEqual([]);
});
