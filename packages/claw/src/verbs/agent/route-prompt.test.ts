import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Destination } from "./route-prompt.ts";
import { routePrompt } from "./route-prompt.ts";

const command = (name: string, responsibility = ""): Destination => ({
  kind: "command",
  name,
  aliases: [],
  responsibility,
  sourceHint: `commands/${name}.ts`,
});

const tool = (name: string, aliases: readonly string[] = [], responsibility = ""): Destination => ({
  kind: "tool",
  name,
  aliases,
  responsibility,
  sourceHint: `tools/${name}.ts`,
});

const PLACES: readonly Destination[] = [
  command("add-dir", "Creates a new directory in the working folder."),
  command("status", "Says where you are."),
  command("compact", "Replaces older messages."),
  tool("read_file", ["Read", "FileReadTool"], "Reads a text file."),
  tool("bash", ["BashTool"], "Runs a shell command."),
];

const route = (prompt: string, limit = 10) => routePrompt(prompt, PLACES, limit);
const scores = (prompt: string) => Object.fromEntries(route(prompt).map(({ name, score }) => [name, score]));

describe("a prompt", () => {
  test("is about what its words name, and less about what only does such things", () => {
    expect(route("add a directory")).toEqual([
      { kind: "command", name: "add-dir", score: 0.75, source_hint: "commands/add-dir.ts" },
    ]);
    expect(scores("read")).toEqual({ read_file: 1 });
    expect(scores("shell")).toEqual({ bash: 0.5 });
  });

  test.each(["reading files", "READ the file!", "files, read", "ReadFile", "read_file"])(
    "is understood by its words, whatever their form: %s",
    (prompt) => {
      expect(scores(prompt)["read_file"]).toBe(1);
    },
  );

  test.each(["a", "the to of", "", "  ", "!?", "stat", "ashes", "dirt", "archived"])(
    "matches nothing by parts of words or words that say nothing: '%s'",
    (prompt) => {
      expect(route(prompt)).toEqual([]);
    },
  );

  test("is not about every tool because it says `tool`", () => {
    expect(route("which tool")).toEqual([]);
  });

  test("that orders a command by its slash is about that command", () => {
    expect(route("please /compact this and read the file")[0]).toMatchObject({ name: "compact", score: 1 });
    expect(scores("look at src/status")).toEqual({ status: 0.3333 });
    expect(scores("cat /status/x y")["status"]).toBeLessThan(1);
  });

  test("is answered with the best first, then commands before tools, then by name", () => {
    const equals = [tool("b-test"), command("z-test"), command("a-test"), tool("a-test")];
    const found = routePrompt("test", equals, 10).map(({ kind, name }) => `${kind} ${name}`);
    expect(found).toEqual(["command a-test", "command z-test", "tool a-test", "tool b-test"]);
  });

  test("names a thing once, and as many as asked for", () => {
    expect(routePrompt("test", [command("test"), command("test")], 10)).toHaveLength(1);
    expect(route("read status", 1)).toHaveLength(1);
    expect(route("read status", 0)).toEqual([]);
  });

  test("in another script is compared by whole words too", () => {
    expect(routePrompt("запусти тесты", [command("тесты")], 10)).toMatchObject([{ name: "тесты", score: 0.5 }]);
  });

  test("of any kind gets scores from 0 to 1, the same each time and in any order of what there is", () => {
    const words = fc.constantFrom("add", "dir", "read", "file", "files", "/status", "bash", "the", "ünïcode", "x/y");
    fc.assert(
      fc.property(
        fc.array(words).map((list) => list.join(" ")),
        fc.shuffledSubarray([...PLACES], { minLength: PLACES.length }),
        (prompt, shuffled) => {
          const matches = route(prompt);
          expect(matches.every(({ score }) => score > 0 && score <= 1)).toBe(true);
          expect(matches.map(({ score }) => score)).toEqual(
            matches.map(({ score }) => score).toSorted((a, b) => b - a),
          );
          expect(routePrompt(prompt, shuffled, 10)).toEqual(matches);
        },
      ),
    );
  });
});
