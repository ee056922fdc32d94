import { describe, expect, test } from "vitest";
import { ATTACKS, escapesFrom } from "../e2e/escape-raid.ts";
import { CAGES } from "../e2e/escape-scene.ts";

describe.each(ATTACKS)("%s", (_, attacks) => {
  test.each(CAGES.filter(({ mode }) => mode === "read-only"))(
    "nothing gets out: $mode, sandbox: $sandboxed",
    async (cage) => {
      expect(await escapesFrom(attacks, cage)).toEqual([]);
    },
  );
});
