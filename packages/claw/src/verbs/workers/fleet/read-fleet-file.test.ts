import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { ClawError, FLEET_LIMITS } from "claw-contract";
import { describe, expect, onTestFinished, test } from "vitest";
import { temporaryFolder } from "../../../files/testing/temporary-folder.ts";
import { readFleetFile } from "./read-fleet-file.ts";

function put(text: string | Uint8Array): string {
  const cwd = temporaryFolder(onTestFinished);
  writeFileSync(join(cwd, "f.yaml"), text);
  return cwd;
}

async function problemOf(cwd: string): Promise<string> {
  try {
    await readFleetFile("f.yaml", cwd);
  } catch (error) {
    if (error instanceof ClawError && error.code === "FLEET_FILE_INVALID") return error.message;
    throw error;
  }
  throw new Error("nothing was wrong with it");
}

const problem = (text: string | Uint8Array): Promise<string> => problemOf(put(text));

describe("the file of a fleet", () => {
  test("is read as YAML, and as JSON", async () => {
    const fleet = { name: "x", workers: [{ name: "a", mission: "m" }] };
    const read = {
      name: "x",
      defaults: {},
      concurrency: FLEET_LIMITS.concurrency,
      workers: [{ name: "a", mission: "m", needs: [] }],
    };
    expect(await readFleetFile("f.yaml", put("name: x\nworkers:\n- name: a\n  mission: m\n"))).toEqual(read);
    expect(await readFleetFile("f.yaml", put(`\uFEFF${JSON.stringify(fleet)}`))).toEqual(read);
  });

  test("may repeat parts by name", async () => {
    const text = "name: x\ndefaults: { checks: &c [make] }\nworkers:\n- { name: a, mission: m, checks: *c }\n";
    expect(await readFleetFile("f.yaml", put(text))).toMatchObject({ workers: [{ checks: ["make"] }] });
  });

  test("is told everything that is wrong with it at once, with lines", async () => {
    const text = [
      "name: my fleet",
      "concurrency: 0",
      "colour: red",
      "workers:",
      "  - name: a",
      "    mision: write it",
      "    harness: cladue",
      "  - name: b",
      "    mission: 3",
      "    budget: { usd: -1 }",
    ].join("\n");
    expect((await problem(text)).split("; ")).toEqual([
      "f.yaml: line 1: name: a fleet's name has letters, digits, dots, dashes and underscores, at most 64",
      expect.stringMatching(/^line 2: concurrency: Too small/),
      expect.stringMatching(/^line 5: workers\[0\]\.mission: Invalid input/),
      expect.stringMatching(/^line 7: workers\[0\]\.harness: Invalid option/),
      'line 5: workers[0]: Unrecognized key: "mision"',
      expect.stringMatching(/^line 9: workers\[1\]\.mission: Invalid input/),
      expect.stringMatching(/^line 10: workers\[1\]\.budget\.usd: Too small/),
      'line 1: Unrecognized key: "colour"',
    ]);
  });

  test("is told of names that come twice, needs nobody meets, and circles", async () => {
    const worker = (name: string, needs: string): string => `- { name: ${name}, mission: m, needs: [${needs}] }`;
    const workers = [worker("a", "b"), worker("b", "a"), worker("b", ""), worker("c", "zz")];
    expect(await problem(["name: x", "workers:", ...workers].join("\n"))).toBe(
      "f.yaml: line 5: workers[2].name: 'b' is the name of another worker too; line 6: workers[3].needs[0]: no worker is called 'zz'",
    );
    expect(await problem(["name: x", "workers:", worker("a", "b"), worker("b", "a")].join("\n"))).toBe(
      "f.yaml: line 3: workers[0].needs: workers wait for each other: a → b → a",
    );
  });

  test.each([
    ["not YAML", "a: [1", /line 1: Flow sequence/],
    ["a key twice", "name: x\nname: y\n", /line 2: Map keys must be unique/],
    ["two documents", "name: x\n---\nname: y\n", /line 2: Source contains multiple documents/],
    ["nothing", "", /Invalid input: expected object/],
    ["a list", "- a", /expected object, received array/],
    ["a name for nothing", "name: *no", /Unresolved alias/],
    ["bytes that are no text", Buffer.from([0xff, 0xfe, 0x00, 0x01]), /f\.yaml: /],
    ["no workers", "name: x\nworkers: []", /line 2: workers: a fleet has at least one worker/],
    ["a mission of blanks", 'name: x\nworkers: [{ name: a, mission: "  " }]', /the worker needs a mission/],
    ["a prototype", "name: x\n__proto__: { y: 1 }\nworkers: [{ name: a, mission: m }]", /__proto__/],
  ])("that holds %s is refused", async (_what, text, said) => {
    expect(await problem(text)).toMatch(said);
  });

  test("that would grow without bound is refused at once", async () => {
    const levels = Array.from({ length: 12 }, (_, level) => {
      const before = level === 0 ? '"lol"' : `*l${level - 1}`;
      return `l${level}: &l${level} [${Array.from({ length: 10 }, () => before).join(", ")}]`;
    });
    expect(await problem(levels.join("\n"))).toMatch("Excessive alias count");
  });

  test("that is nested without end is refused, and ends nothing", async () => {
    for (const text of ["[".repeat(100_000), `${"{a: ".repeat(5000)}1${"}".repeat(5000)}`, "- ".repeat(50_000)]) {
      expect(await problem(text)).toBe("f.yaml: it is nested too deeply");
    }
  });

  test("that is too large, a folder, or not there is refused", async () => {
    expect(await problem("#".repeat(FLEET_LIMITS.fileBytes + 1))).toMatch("larger than");
    const cwd = temporaryFolder(onTestFinished);
    expect(await problemOf(cwd)).toBe("f.yaml: it is not there");
    mkdirSync(join(cwd, "f.yaml"));
    expect(await problemOf(cwd)).toMatch("no regular file");
  });
});
