import { ClawError, LIMITS } from "claw-contract";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { sessionPath } from "./session-files.ts";
import { isSessionId, newSessionId, parseSessionRef } from "./session-ref.ts";

const place = { cwd: "/home/me/project", directory: "/home/me/project/.claw/sessions" };
const read = (ref: string) => parseSessionRef(ref, place);

describe("a reference", () => {
  test.each(["latest", "last", "recent", "LATEST", "Last"])("%s names the newest session", (word) => {
    expect(read(word)).toEqual({ kind: "latest" });
  });

  test.each(["a", "session-1-abc", "A.b_c-9", "0", "x".repeat(LIMITS.sessionIdLength)])("%s is an id", (id) => {
    expect(read(id)).toEqual({ kind: "id", id });
  });

  test.each([
    [".claw/sessions/s1.jsonl"],
    ["./.claw/sessions/s1.jsonl"],
    [".claw/../.claw//sessions/s1.jsonl"],
    ["/home/me/project/.claw/sessions/s1.jsonl"],
  ])("%s is the path of a session", (path) => {
    expect(read(path)).toEqual({ kind: "id", id: "s1" });
  });

  test.each([
    "",
    ".",
    "..",
    ".hidden",
    "-flag",
    "_x",
    "a b",
    "a\nb",
    "a\n",
    "a\0b",
    "a\\b",
    "ünï",
    "a\uFFFD",
    "a*",
    "~",
    "$HOME",
    "x".repeat(LIMITS.sessionIdLength + 1),
    "../s1",
    "../../etc/passwd",
    "/etc/passwd",
    "/etc/passwd.jsonl",
    ".claw/sessions/../s1.jsonl",
    ".claw/sessions/sub/s1.jsonl",
    ".claw/sessions/s1.jsonl/",
    ".claw/sessions/s1.lock",
    ".claw/sessions/.jsonl",
    ".claw/sessions/latest.jsonl",
    ".claw/sessions/",
    "s1.jsonl/..",
  ])("%j names no session", (ref) => {
    expect(() => read(ref)).toThrow(expect.objectContaining({ code: "INVALID_SESSION_ID" }));
  });

  test("that is long is not repeated whole", () => {
    expect(() => read("/".repeat(5000))).toThrow(
      expect.objectContaining({ message: expect.toSatisfy((text) => text.length < 400) }),
    );
  });

  /** The file a reference leads to, or the word or code it ends with instead. */
  function pathOf(ref: string): string {
    try {
      const parsed = read(ref);
      return parsed.kind === "id" ? sessionPath(place.directory, parsed.id) : parsed.kind;
    } catch (error) {
      return error instanceof ClawError ? error.code : String(error);
    }
  }

  test("whatever it is, leads to a file directly in the sessions folder or nowhere", () => {
    const piece = fc.constantFrom(
      "..",
      ".",
      "/",
      "a",
      "s1",
      ".jsonl",
      ".claw",
      "sessions",
      "\0",
      "\n",
      "latest",
      "\\",
      "%2e",
    );
    const hostile = fc.oneof(
      fc.array(piece, { maxLength: 8 }).map((pieces) => pieces.join("")),
      fc.array(piece, { maxLength: 8 }).map((pieces) => `.claw/sessions/${pieces.join("/")}`),
      fc.string({ unit: "binary" }),
    );
    fc.assert(
      fc.property(hostile, (ref) => {
        expect(pathOf(ref)).toMatch(
          /^(latest|INVALID_SESSION_ID|\/home\/me\/project\/\.claw\/sessions\/[A-Za-z0-9][\w.-]*\.jsonl)$/,
        );
      }),
      { numRuns: 500 },
    );
  });
});

test("a new id is an id, tells its time and is never met twice", () => {
  const ids = Array.from({ length: 1000 }, () => newSessionId(1_700_000_000_000));
  expect(ids.filter((id) => !isSessionId(id) || !id.startsWith("session-1700000000000-"))).toEqual([]);
  expect(new Set(ids).size).toBe(1000);
});
