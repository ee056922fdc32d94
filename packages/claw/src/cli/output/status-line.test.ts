import { describe, expect, test } from "vitest";
import type { StatusLine } from "./status-line.ts";
import { createStatusLine } from "./status-line.ts";

const ERASE = "\r\u001B[K";

function open(columns = 80): { line: StatusLine; written: string[] } {
  const written: string[] = [];
  return { line: createStatusLine({ write: (text) => written.push(text), columns: () => columns }), written };
}

describe("the status line", () => {
  test("is drawn over itself and erased once", () => {
    const { line, written } = open();
    line.show("1 running");
    line.show("1 done");
    line.clear();
    line.clear();
    expect(written).toEqual([`${ERASE}1 running`, `${ERASE}1 done`, ERASE]);
  });

  test("gives way to what is printed, and comes back as it is by then", () => {
    const { line, written } = open();
    line.show("1 running");
    line.away();
    line.show("1 done");
    written.push("docs  starting\n");
    line.back();
    expect(written).toEqual([`${ERASE}1 running`, ERASE, "docs  starting\n", `${ERASE}1 done`]);
  });

  test("stays away until everybody who sent it away is done", () => {
    const { line, written } = open();
    line.away();
    line.away();
    line.show("1 running");
    line.back();
    expect(written).toEqual([]);
    line.back();
    expect(written).toEqual([`${ERASE}1 running`]);
  });

  test("does not come back when it was cleared meanwhile", () => {
    const { line, written } = open();
    line.show("1 running");
    line.away();
    line.clear();
    line.back();
    expect(written).toEqual([`${ERASE}1 running`, ERASE]);
  });

  test("is one line that fits, whatever it holds", () => {
    const { line, written } = open(10);
    line.show("two\nlines \u001B[31mred");
    expect(written).toEqual([`${ERASE}two line…`]);
  });
});
