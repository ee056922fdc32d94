import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import type { VerbSpec } from "claw-contract";
import * as fc from "fast-check";
import { afterEach, describe, expect, onTestFinished, test, vi } from "vitest";
import { createFaultyFileSystem } from "../../files/testing/faulty-file-system.ts";
import { temporaryFolder } from "../../files/testing/temporary-folder.ts";
import { capAnswer } from "./cap-answer.ts";
import { createTestPorts } from "../testing/test-ports.ts";

const SPEC: VerbSpec = {
  name: "walk",
  group: "bus",
  summary: "",
  effect: "read",
  fields: [],
  errors: [],
  examples: [],
  cacheable: false,
  anywhere: false,
  streams: false,
  unlimited: false,
  bulky: false,
  plays: false,
  unixOnly: false,
  reportsTimeout: false,
};

const LIST: VerbSpec = { ...SPEC, list: "steps" };

/** Ports whose answers may weigh this much, and whose temporary files go to a folder of their own. */
function limited(maxAnswerBytes: number, files = createFaultyFileSystem().fs) {
  const folder = temporaryFolder(onTestFinished);
  vi.stubEnv("TMPDIR", folder);
  return { folder, ports: createTestPorts(folder, { maxAnswerBytes, files }) };
}

afterEach(() => {
  vi.unstubAllEnvs();
});

const steps = (count: number) => ({
  total_count: count,
  steps_count: count,
  steps: Array.from({ length: count }, (_item, index) => ({ id: `s${index}`, text: "x".repeat(100) })),
});

describe("an answer that fits", () => {
  test("is left as it is", () => {
    const { ports, folder } = limited(10_000);
    const data = { text: "small" };
    expect(capAnswer(SPEC, data, ports)).toBe(data);
    expect([ports.notes.notes(), readdirSync(folder)]).toEqual([{ warnings: [] }, []]);
  });
});

describe("a list that is too long", () => {
  test("is cut to what fits, and the rest can be had by cursor", () => {
    const { ports } = limited(3000);
    const cut = capAnswer(LIST, steps(100), ports) as ReturnType<typeof steps>;
    expect([cut.total_count, cut.steps_count, cut.steps]).toEqual([
      100,
      cut.steps.length,
      steps(100).steps.slice(0, cut.steps.length),
    ]);
    expect(cut.steps.length).toBeGreaterThan(5);
    expect(Buffer.byteLength(JSON.stringify(cut))).toBeLessThan(3000);
    expect(ports.notes.notes()).toMatchObject({ truncated: true, cursor: cut.steps.at(-1)?.id });
  });

  test("keeps at least one item, or paging could never go on", () => {
    const { ports } = limited(1);
    const cut = capAnswer(LIST, steps(3), ports);
    expect([cut["steps"], ports.notes.notes().cursor]).toEqual([steps(1).steps, "s0"]);
  });

  test("of any size and any limit keeps the longest beginning that fits", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 60 }), fc.integer({ min: 1100, max: 9000 }), (count, limit) => {
        const { ports } = limited(limit);
        const cut = capAnswer(LIST, steps(count), ports) as ReturnType<typeof steps>;
        expect(cut.steps).toEqual(steps(count).steps.slice(0, cut.steps_count));
        const whole = cut.steps_count === count;
        expect(ports.notes.notes().cursor).toBe(whole ? undefined : cut.steps.at(-1)?.id);
      }),
      { numRuns: 40, examples: [[1, 1100]] },
    );
  });
});

describe("another answer that is too large", () => {
  const data = { text: "x".repeat(5000) };

  test("goes to a private file, and the answer says where", () => {
    const { ports, folder } = limited(2000);
    const { file } = capAnswer(SPEC, data, ports) as { file: string };
    expect(file.startsWith(join(folder, "claw-answer-"))).toBe(true);
    expect([JSON.parse(readFileSync(file, "utf8")), statSync(file).mode & 0o777]).toEqual([data, 0o600]);
    expect(ports.notes.notes()).toEqual({
      warnings: [`ANSWER_TOO_LARGE: the whole answer is in ${file}`],
      truncated: true,
    });
  });

  test("that cannot be put anywhere is an error of the disk", () => {
    const { ports } = limited(2000, createFaultyFileSystem({ at: 1, errno: "ENOSPC" }).fs);
    expect(() => capAnswer(SPEC, data, ports)).toThrow(expect.objectContaining({ code: "DISK_FULL" }));
  });
});
