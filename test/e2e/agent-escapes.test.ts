import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { SHELL_WRITES } from "./escape-attacks.ts";
import { ATTACKS, escapesFrom, raid, succeeded } from "./escape-raid.ts";
import type { EscapeScene, Place } from "./escape-scene.ts";
import { CAGES } from "./escape-scene.ts";

describe.each(ATTACKS)("%s", (_, attacks) => {
  test("without a cage every attack works, so that it is one", async () => {
    const { outcomes } = await raid(attacks, { mode: "danger-full-access", sandboxed: false });
    const failed = outcomes.filter((outcome) => outcome.attack.inert !== true && !succeeded(outcome));
    expect(failed.map(({ attack, outputs }) => [attack.name, outputs])).toEqual([]);
  });

  // The stricter mode is tried by `npm run soak`.
  test.each(CAGES.filter(({ mode }) => mode === "workspace-write"))(
    "nothing gets out: $mode, sandbox: $sandboxed",
    async (cage) => {
      expect(await escapesFrom(attacks, cage)).toEqual([]);
    },
  );
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
