import { expect, test } from "vitest";
import { VERB_SPECS } from "./verb-table.generated.ts";
import { requirePlatform } from "./require-platform.ts";

const refusedOn = (platform: NodeJS.Platform): string[] =>
  VERB_SPECS.flatMap((spec) => {
    try {
      requirePlatform(spec, platform);
      return [];
    } catch (error) {
      expect(error).toMatchObject({ code: "PLATFORM_UNSUPPORTED", options: { target: spec.name } });
      return [spec.name];
    }
  });

test("every verb is served on Linux and macOS", () => {
  expect([refusedOn("linux"), refusedOn("darwin")]).toEqual([[], []]);
});

test.each(["win32", "freebsd", "aix"] as const)(
  "on %s, verbs are served that start nothing and ask no daemon",
  (name) => {
    const refused = new Set(refusedOn(name));
    expect(VERB_SPECS.map((spec) => spec.name).filter((verb) => !refused.has(verb))).toEqual([
      "bootstrap-graph",
      "command-graph",
      "completion",
      "config",
      "delete-session",
      "doctor",
      "export",
      "flush-transcript",
      "help",
      "init",
      "list-sessions",
      "load-session",
      "manifest",
      "parse-stream",
      "route",
      "schema",
      "show-command",
      "show-tool",
      "status",
      "tool-pool",
      "version",
    ]);
  },
);
