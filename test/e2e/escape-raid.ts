import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import { results } from "./agent-scene.ts";
import type { Attack } from "./escape-attacks.ts";
import { SHELL_READS, SHELL_WRITES } from "./escape-attacks.ts";
import { FILE_ATTACKS } from "./escape-file-attacks.ts";
import type { Cage, Call, EscapeScene, Place } from "./escape-scene.ts";
import { CANARY, decisionsOf, openEscapeScene } from "./escape-scene.ts";
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

export interface Raid {
  readonly scene: EscapeScene;
  readonly body: Body;
  /** What each attack came to. */
  readonly outcomes: readonly (Aimed & {
    readonly outputs: readonly string[];
    readonly decisions: readonly string[];
  })[];
}

export async function raid(
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

export const succeeded = ({ attack, place, file, outputs }: Raid["outcomes"][number]): boolean =>
  attack.kind === "read" ? outputs.join("").includes(CANARY) : existsSync(join(place.path, file));

const named = (outcomes: Raid["outcomes"]): string[] => outcomes.map(({ attack }) => attack.name);

export const ATTACKS = [
  ["shell, reading", SHELL_READS],
  ["shell, writing", SHELL_WRITES],
  ["files", FILE_ATTACKS],
] as const;

/** Tries every attack in a cage, which is unharmed, and names those that get out. */
export async function escapesFrom(attacks: readonly Attack[], cage: Cage): Promise<readonly string[]> {
  const { scene, body, outcomes } = await raid(attacks, cage);
  scene.expectUnharmed(body);
  // In the sandbox commands do run, and it is the sandbox that holds them.
  const commands = outcomes.filter(({ calls }) => calls[0]?.[0] === "bash" && calls.length === 1);
  const wanted = cage.sandboxed ? "made" : "denied";
  expect(named(commands.filter(({ decisions }) => decisions[0] !== wanted))).toEqual([]);
  return named(outcomes.filter(succeeded));
}
