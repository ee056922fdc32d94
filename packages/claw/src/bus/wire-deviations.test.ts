import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import type { Frame } from "./testing/bus-harness.ts";
import { settle, startBus } from "./testing/bus-harness.ts";

interface Step {
  readonly send: unknown;
  readonly answer: Frame;
  /** The row of the document that says how the bus answers instead. */
  readonly deviation?: string;
}

interface Transcript {
  readonly name: string;
  readonly steps: readonly Step[];
}

const fileAt = (path: string): string => readFileSync(new URL(`../../../../${path}`, import.meta.url), "utf8");

const TRANSCRIPTS = JSON.parse(fileAt("test/fixtures/claws-0.8/transcripts.json")) as readonly Transcript[];

/** The subjects of the document's tables. */
const SUBJECTS: ReadonlySet<string> = new Set(
  fileAt("docs/wire-deviations.md")
    .split("\n")
    .filter((line) => line.startsWith("| "))
    .map((line) => line.split(" | ")[0]?.slice(2) ?? ""),
);

const PLACEHOLDERS: Readonly<Record<string, unknown>> = {
  "<number>": expect.any(Number),
  "<text>": expect.any(String),
  "<time>": expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
};

const withPlaceholders = (answer: Frame): unknown =>
  JSON.parse(JSON.stringify(answer), (_key, value: unknown) =>
    typeof value === "string" && Object.hasOwn(PLACEHOLDERS, value) ? PLACEHOLDERS[value] : value,
  );

/** Whether an answer is the old one, with more fields or without. */
function isOldAnswer(answer: unknown, old: Frame): boolean {
  try {
    expect(answer).toMatchObject(withPlaceholders(old) as Frame);
    return true;
  } catch {
    return false;
  }
}

test.each(TRANSCRIPTS)("$name of claws 0.8 is answered as it was, or as the document says", async ({ steps }) => {
  const { transport } = await startBus({ policy: "compat" });
  const client = transport.connect();
  for (const { send, answer: old, deviation } of steps) {
    const before = client.frames.length;
    client.send(JSON.stringify(send));
    await settle();
    const answers = client.frames.slice(before).map((frame) => JSON.parse(frame) as Frame);
    const answer = answers.find(({ push }) => push === undefined);
    const isOld = isOldAnswer(answer, old);
    expect({ send, old, answer, isOld }).toEqual({ send, old, answer, isOld: deviation === undefined });
  }
});

test("every deviation that a transcript shows stands in the document", () => {
  const shown = TRANSCRIPTS.flatMap(({ steps }) => steps.flatMap(({ deviation }) => deviation ?? []));
  expect(shown.filter((subject) => !SUBJECTS.has(subject))).toEqual([]);
});
