import { mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { temporaryFolder } from "../files/testing/temporary-folder.ts";
import { isTrustedWorkspace } from "./workspace-trust.ts";

function folders() {
  const base = temporaryFolder(onTestFinished);
  for (const name of ["home/code/app", "home/codex", "other"]) mkdirSync(join(base, name), { recursive: true });
  return { base, home: join(base, "home"), app: join(base, "home/code/app") };
}

test("a folder is trusted when it is a trusted root or lies below one", () => {
  const { home, app } = folders();
  const trusted = (roots: string[]): boolean => isTrustedWorkspace({ cwd: app, env: { HOME: home }, roots });
  expect([[app], [home], ["~/code"], ["~"], ["/"]].map(trusted)).toEqual([true, true, true, true, true]);
  expect([[], ["~/codex"], ["code"], [""], [join(app, "below")], ["~other"]].map(trusted)).toEqual(
    Array.from({ length: 6 }, () => false),
  );
});

test("a name that only begins like a trusted root is another folder", () => {
  const { home } = folders();
  expect(isTrustedWorkspace({ cwd: join(home, "codex"), env: {}, roots: [join(home, "code")] })).toBe(false);
});

test("a link inside a trusted root that leads elsewhere is not trusted", () => {
  const { base, app } = folders();
  const link = join(app, "link");
  symlinkSync(join(base, "other"), link);
  expect(isTrustedWorkspace({ cwd: link, env: {}, roots: [app] })).toBe(false);
  expect(isTrustedWorkspace({ cwd: link, env: {}, roots: [join(base, "other")] })).toBe(true);
});

test("the environment can trust the folder of one call, with 1 and nothing else", () => {
  const { app } = folders();
  const trusted = ["1", "0", "", "true"].map((value) =>
    isTrustedWorkspace({ cwd: app, env: { CLAW_TRUST_WORKSPACE: value }, roots: [] }),
  );
  expect(trusted).toEqual([true, false, false, false]);
});
