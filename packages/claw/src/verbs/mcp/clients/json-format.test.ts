import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { describeFormat, ENTRY } from "./config-format.conformance.ts";
import { jsonFormat } from "./json-format.ts";
import { applyEdits } from "./text-edit.ts";

const PLACE = ["mcpServers", "claws"];
const document = (text: string) => ({ path: "/home/me/config", text });
const added = (text: string, entry = ENTRY): string => applyEdits(text, jsonFormat.add(document(text), PLACE, entry));
const SHORT = { command: "claw", args: ["mcp", "serve"] };

describe("a file of JSON", () => {
  describeFormat(jsonFormat, {
    place: PLACE,
    without: {
      "no text": "",
      "an empty object": "{}",
      "an empty object over two lines": "{\n}\n",
      "other members": '{\n  "theme": "dark"\n}\n',
      "other servers": '{\n    "mcpServers": {\n        "x": { "command": "y" }\n    },\n    "z": 1\n}',
      "no servers": '{ "mcpServers": {} }',
      "one line": '{"a":[1,2,{"b":"c"}],"mcpServers":{"x":{"command":"y"}}}',
      "comments and trailing commas":
        '// top\n{\n\t"mcpServers": {\n\t\t"x": {}, // mine, and a comma\n\t}, /* c */\n\t"claws": 1,\n}\n// end',
      "a comment before the bracket": '{ "mcpServers": { "x": 1 /* , */ } }',
      "a comma in a line of its own": '{"mcpServers": {\n"x": 1 // c\n,\n"y": 2 // d\n}\n}',
      "line ends of Windows": '{\r\n  "mcpServers": {\r\n    "x": {}\r\n  }\r\n}\r\n',
    },
    refused: {
      "a half-written file": ['{"mcpServers": {', /config:1:17: is no JSON \(/],
      "another format": ["[mcp_servers.x]\n", /is no JSON/],
      "a line break in a text": ['{"a": "x\ny"}', /config:1:7: is no JSON \(UnexpectedEndOfString\)/],
      "no object": ["[1]", /the file is no object/],
      "servers that are a list": ['{"mcpServers": []}', /"mcpServers" is no object/],
      "two members of one name": ['{"mcpServers": {},\n "mcpServers": {}}', /config:2:2: .*is there twice/],
      "two entries": ['{"mcpServers": {"claws": {}, "claws": {}}}', /"claws" is there twice/],
      "nested without end": ["[".repeat(200_000), /is nested too deeply/],
    },
  });

  test("an entry looks like its neighbours", () => {
    expect(added('{\n    "mcpServers": {\n        "x": {} // mine\n    }\n}\n', SHORT)).toBe(
      `{
    "mcpServers": {
        "x": {}, // mine
        "claws": {
            "command": "claw",
            "args": [
                "mcp",
                "serve"
            ]
        }
    }
}
`,
    );
    expect(added('{"mcpServers":{"x":{}}}', SHORT)).toBe(
      '{"mcpServers":{"x":{}, "claws": {"command":"claw","args":["mcp","serve"]}}}',
    );
  });

  test("an entry that is removed leaves the bytes from before, however the file is written", () => {
    const gap = fc.constantFrom("", " ", "\n", "\r\n\t", " // c, {\n", "/* , */ ", "\n\n  ");
    const value = fc.constantFrom("1", '"a,}"', "[ 1, {} ]", '{ "claws" : 2 }');
    const member = fc.record({ a: gap, b: gap, c: gap, d: gap, value });
    const parts = fc.tuple(fc.array(member, { minLength: 1, maxLength: 4 }), fc.boolean(), gap);
    fc.assert(
      fc.property(parts, ([members, isTrailing, end]) => {
        const written = members.map(({ a, b, c, d, value }, index) => `${a}"m${index}"${b}:${c}${value}${d}`);
        const text = `{ "mcpServers": {${written.join(",")}${isTrailing ? "," : ""}${end}} }`;
        const after = added(text, SHORT);
        expect(jsonFormat.read(document(after), PLACE)).toEqual(SHORT);
        expect(applyEdits(after, jsonFormat.remove(document(after), PLACE))).toBe(text);
      }),
      { numRuns: 2000 },
    );
  });
});
