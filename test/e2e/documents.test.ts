import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { JsonObject } from "claw-contract";
import { ClawError, respond } from "claw-contract";
import { VERBS } from "claw-contract/schemas";
import { describe, expect, test } from "vitest";
import type { Mapping } from "./document-table.ts";
import { MAPPINGS, NOT_YET } from "./document-table.ts";
import { clawJson, flatJson, responseJson } from "./run-claw.ts";
import { seed } from "./seed.ts";
import { createWorkspace } from "./workspace.ts";

const FOLDER = fileURLToPath(new URL("../fixtures/documents/", import.meta.url));

const readBlock = (name: string): JsonObject =>
  JSON.parse(readFileSync(join(FOLDER, `${name}.json`), "utf8")) as JsonObject;

const storedNames = readdirSync(FOLDER)
  .flatMap((document) =>
    readdirSync(join(FOLDER, document)).map((file) => `${document}/${file.replace(/\.json$/, "")}`),
  )
  .sort();

const typeName = (value: unknown): string =>
  value === null ? "null" : Array.isArray(value) ? "array" : value === undefined ? "nothing" : typeof value;

/** Where an answer lacks a member of a block or has it in another type. A null in a block stands for any value. */
function differences(block: unknown, answer: unknown, path = ""): string[] {
  const [wanted, found] = [typeName(block), typeName(answer)];
  if (found === "nothing") return [`${path} is missing`];
  if (wanted === "null") return [];
  if (wanted !== found) return [`${path} is ${found} instead of ${wanted}`];
  if (Array.isArray(block) && Array.isArray(answer)) {
    return block.length === 0 || answer.length === 0 ? [] : differences(block[0], answer[0], `${path}[0]`);
  }
  if (wanted !== "object") return [];
  return Object.entries(block as JsonObject).flatMap(([name, member]) =>
    differences(member, (answer as JsonObject)[name], `${path}.${name}`),
  );
}

const pick = (value: unknown, names: readonly string[]): JsonObject =>
  Object.fromEntries(names.map((name) => [name, (value as JsonObject)[name]]));

async function answerOf({ scenario, envelope }: Mapping & { by: "call" }): Promise<unknown> {
  const workspace = createWorkspace();
  seed(workspace, scenario.seeds);
  if (envelope === "claw") return clawJson(workspace, scenario.argv);
  if (envelope === "flat") return flatJson(workspace, scenario.argv);
  return responseJson(workspace, scenario.argv);
}

/** A failure of this code as `respond` renders it, with what the block leaves to the call. */
function madeUp({ code, retryAfterMs }: Mapping & { by: "respond" }, block: JsonObject): JsonObject {
  const { message } = block["error"] as { message: string };
  const { duration_ms: durationMs } = block["meta"] as { duration_ms: number };
  const wait = retryAfterMs === undefined ? {} : { retryAfterMs };
  const failure = new ClawError(code, message, { operation: "call_model", target: "model", ...wait });
  const outcome = {
    command: "prompt",
    result: { kind: "failure", failure },
    notes: { warnings: [] },
    finishedAt: new Date(),
    durationMs,
    requestId: "req_1",
    toolVersion: "0.0.0",
  } as const;
  return respond(outcome, "response").body;
}

describe("the JSON blocks of the source documents", () => {
  test("each is mapped to a call, to a reason, or to a verb that is still missing, and to one of them only", () => {
    expect([...Object.keys(MAPPINGS), ...Object.keys(NOT_YET)].sort()).toEqual(storedNames);
  });

  test("a verb that is listed as missing does not exist", () => {
    expect(Object.values(NOT_YET).filter((verb) => Object.hasOwn(VERBS, verb))).toEqual([]);
  });

  test("a block that maps to nothing is a stub of a verb that exists", () => {
    const skipped = Object.entries(MAPPINGS).filter(([, mapping]) => mapping.by === "nothing");
    expect(skipped.map(([name]) => [name, readBlock(name)["kind"]])).toEqual([
      ["000/delete-session.stub", "not_yet_implemented"],
      ["000/flush-transcript.stub", "not_yet_implemented"],
    ]);
    expect(skipped.every(([name]) => Object.hasOwn(VERBS, String(readBlock(name)["command"])))).toBe(true);
  });

  const calls = Object.entries(MAPPINGS).flatMap(([name, mapping]) =>
    mapping.by === "call" ? [[name, mapping] as const] : [],
  );

  test.each(calls)("%s: the real answer has its members in its types", async (name, mapping) => {
    const { [mapping.except ?? ""]: _example, ...block } = readBlock(name);
    const answer = await answerOf(mapping);
    const shown = mapping.within === undefined ? answer : (answer as JsonObject)[mapping.within];
    expect(differences(block, shown)).toEqual([]);
    const same = mapping.same ?? [];
    expect(pick((shown as JsonObject)["error"], same)).toEqual(pick(block["error"], same));
  });

  const rendered = Object.entries(MAPPINGS).flatMap(([name, mapping]) =>
    mapping.by === "respond" ? [[name, mapping] as const] : [],
  );

  test.each(rendered)("%s: the envelope of its code holds the very values of the document", (name, mapping) => {
    const block = readBlock(name);
    expect(madeUp(mapping, block)).toMatchObject(block);
  });
});
