import { describe, expect, test } from "vitest";
import type { EditedLine } from "./edit-line.ts";
import { EDITS, insert, LineHistory, replaceBefore, verticalMove } from "./edit-line.ts";

/** A line with `|` for its cursor. */
const line = (text: string): EditedLine => ({ text: text.replace("|", ""), cursor: text.indexOf("|") });
const shown = ({ text, cursor }: EditedLine): string => `${text.slice(0, cursor)}|${text.slice(cursor)}`;

describe("a line", () => {
  test.each([
    ["backspace", "ab|c", "a|c"],
    ["backspace", "|a", "|a"],
    ["backspace", "x👩‍💻|y", "x|y"],
    ["delete", "a|éb", "a|b"],
    ["left", "漢字|", "漢|字"],
    ["right", "a|", "a|"],
    ["home", "one\ntwo|", "one\n|two"],
    ["end", "o|ne\ntwo", "one|\ntwo"],
    ["word-left", "one two  |", "one |two  "],
    ["word-right", "|one two", "one| two"],
    ["kill-to-end", "one| two\nx", "one|\nx"],
    ["kill-to-start", "a\none |two", "a\n|two"],
    ["kill-word", "one two|", "one |"],
    ["newline", "a|b", "a\n|b"],
  ] as const)("%s makes %j %j", (name, before, after) => {
    expect(shown(EDITS[name](line(before)))).toBe(after);
  });

  test("takes text where its cursor is, and gives way to what is put in its place", () => {
    expect(shown(insert(line("a|c"), "b"))).toBe("ab|c");
    expect(shown(replaceBefore(line("look @sr| now"), 5, "@src/a.ts"))).toBe("look @src/a.ts| now");
  });

  test("of several rows is gone through up and down, as far as there are any", () => {
    expect(verticalMove(line("long\nx|"), "up")).toEqual({ text: "long\nx", cursor: 1 });
    expect(verticalMove(line("long|\nx"), "down")).toEqual({ text: "long\nx", cursor: 6 });
    expect(verticalMove(line("a|"), "up")).toBeUndefined();
    expect(verticalMove(line("a|"), "down")).toBeUndefined();
  });
});

describe("earlier lines", () => {
  test("come back one by one, and the one that was being typed is kept", () => {
    const history = new LineHistory(["first", "second"]);
    const typed = line("draft|");
    const second = history.go("up", typed);
    const first = history.go("up", second ?? typed);
    expect([second?.text, first?.text, history.go("up", first ?? typed)]).toEqual(["second", "first", undefined]);
    expect(history.go("down", first ?? typed)?.text).toBe("second");
    expect(history.go("down", second ?? typed)?.text).toBe("draft");
    expect(history.go("down", typed)).toBeUndefined();
  });
});
