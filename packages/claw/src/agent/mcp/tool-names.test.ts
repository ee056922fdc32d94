import * as fc from "fast-check";
import { expect, test } from "vitest";
import { nameTools } from "./tool-names.ts";

test("a name says server and tool, in characters every provider accepts", () => {
  const tools = [
    { server: "files", tool: "read" },
    { server: "my server", tool: "größe/x.y" },
  ];
  expect(nameTools(tools)).toEqual(["mcp__files__read", "mcp__my_server__gr__e_x_y"]);
});

test("tools that would have the same name get another each, whatever their order", () => {
  const one = { server: "a", tool: "x.y" };
  const two = { server: "a", tool: "x/y" };
  const [first, second] = nameTools([one, two]);
  expect([first, second]).toEqual([
    expect.stringMatching(/^mcp__a__x_y_[0-9a-f]{8}$/),
    expect.stringMatching(/^mcp__a__x_y_[0-9a-f]{8}$/),
  ]);
  expect(first).not.toBe(second);
  expect(nameTools([two, one])).toEqual([second, first]);
});

test("any names become valid and different ones", () => {
  const tools = fc.uniqueArray(
    fc.record({ server: fc.string({ maxLength: 80 }), tool: fc.string({ maxLength: 80 }) }),
    {
      selector: ({ server, tool }) => JSON.stringify([server, tool]),
    },
  );
  fc.assert(
    fc.property(tools, (given) => {
      const names = nameTools(given);
      expect(names.every((name) => /^mcp__[A-Za-z0-9_-]{1,59}$/.test(name))).toBe(true);
      expect(new Set(names).size).toBe(given.length);
    }),
  );
});
