import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, describe, expect, test } from "vitest";
import { temporaryFolder } from "../packages/claw/src/files/testing/temporary-folder.ts";
import { consoleExamples, outputPattern } from "./packages/console-examples.ts";

const root = fileURLToPath(new URL("..", import.meta.url));
const readme = readFileSync(join(root, "README.md"), "utf8");
const folder = temporaryFolder(afterAll);
mkdirSync(join(folder, "bin"));
mkdirSync(join(folder, "project"));
symlinkSync(join(root, "packages/claw/bin/claw.cjs"), join(folder, "bin/claw"));

describe("the README's examples", () => {
  test.each(consoleExamples(readme))("`$command` prints what the README shows", ({ command, output, exit }) => {
    const { PATH = "", XDG_CACHE_HOME } = process.env;
    const { status, stdout, stderr } = spawnSync("sh", ["-c", `{ ${command}\n} 2>&1`], {
      cwd: join(folder, "project"),
      env: { PATH: `${join(folder, "bin")}:${PATH}`, XDG_CACHE_HOME, HOME: folder },
      encoding: "utf8",
    });
    expect({ status, stderr }).toEqual({ status: exit, stderr: "" });
    expect(stdout.trimEnd()).toMatch(outputPattern(output));
  });

  test("there are some", () => expect(consoleExamples(readme).length).toBeGreaterThan(3));

  test("its npm commands exist", () => {
    const { scripts } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as {
      scripts: Record<string, string>;
    };
    const named = [...readme.matchAll(/`npm (?:run )?(\w+)`/g)].map(([, name]) => name ?? "");
    expect(named.filter((name) => !Object.hasOwn(scripts, name))).toEqual([]);
  });

  test("its links lead somewhere", () => {
    const links = [...readme.matchAll(/\]\(([^)#]+)\)/g)].map(([, link]) => link ?? "");
    const local = links.filter((link) => !link.includes(":"));
    expect(local.filter((link) => !existsSync(join(root, link)))).toEqual([]);
  });
});
