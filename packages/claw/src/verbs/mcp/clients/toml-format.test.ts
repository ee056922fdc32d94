import { describe, expect, test } from "vitest";
import { describeFormat, ENTRY } from "./config-format.conformance.ts";
import { applyEdits } from "./text-edit.ts";
import { tomlFormat } from "./toml-format.ts";

const PLACE = ["mcp_servers", "claws"];
const document = (text: string) => ({ path: "/home/me/config", text });
const removed = (text: string): string => applyEdits(text, tomlFormat.remove(document(text), PLACE));

const TRAP = `# mine
model = "x" # trailing

instructions = """
[mcp_servers.claws]
command = "not an entry"
"""
literal = '''
[mcp_servers.claws]'''

[mcp_servers.x]
command =   "y"  # keep

[tools]
a = 1`;

describe("a file of TOML", () => {
  describeFormat(tomlFormat, {
    place: PLACE,
    without: {
      "no text": "",
      "a text that looks like an entry": TRAP,
      "line ends of Windows": 'a = 1\r\n[mcp_servers.x]\r\ncommand = "y"\r\n',
      "a list of tables": "[[a.b]]\nc = 1\n[[a.b]]\nc = 2\n",
      "members by dotted names": 'mcp_servers.x.command = "y"\n',
      "a comment at the end": "a = 1 # c",
    },
    refused: {
      "a half-written file": ['a = """\nb', /config:2:\d+: is no TOML \(/],
      "a name that is there twice": ["a = 1\na = 2\n", /config:2:\d+: is no TOML/],
      JSON: ['{"a": 1}', /is no TOML/],
      "servers that are no table": ["mcp_servers = 1\n", /config/],
    },
  });

  const spread = `a = 1

# before
[mcp_servers.claws] # mine
command = "claw"
# inside
args = ["mcp", "serve"] # why
tool_timeout_sec = 7

[mcp_servers.claws.env]
A = "b"

# of x
[mcp_servers.x]
command = "y"

[mcp_servers."claws".tools.run]
approval_mode = "approve"
`;

  test("an entry keeps members and comments that claw does not write", () => {
    expect(applyEdits(spread, tomlFormat.change(document(spread), PLACE, { command: "c", args: ["d"] }))).toBe(
      spread.replace('"claw"', '"c"').replace('["mcp", "serve"]', '["d"]'),
    );
    const bare = "[mcp_servers.claws] # c\nargs = []\n";
    expect(applyEdits(bare, tomlFormat.change(document(bare), PLACE, { command: "c" }))).toBe(
      '[mcp_servers.claws] # c\ncommand = "c"\nargs = []\n',
    );
  });

  test("an entry goes with all its tables, and no line of another", () => {
    expect(removed(spread)).toBe('a = 1\n\n# before\n\n# of x\n[mcp_servers.x]\ncommand = "y"\n');
    expect(removed('[mcp_servers]\nclaws = { command = "x" }\ny = {}\n')).toBe("[mcp_servers]\ny = {}\n");
    expect(removed('mcp_servers.claws.command = "x"\nmcp_servers.claws.args = []\n')).toBe("");
  });

  test("an entry in an inline table is read, and not edited", () => {
    const inline = 'mcp_servers = { claws = { command = "x" } }\n';
    expect(tomlFormat.read(document(inline), PLACE)).toEqual({ command: "x" });
    expect(() => removed(inline)).toThrow(/inline table/);
  });

  test("an entry is a table behind everything else", () => {
    const after = applyEdits(TRAP, tomlFormat.add(document(TRAP), PLACE, ENTRY));
    expect(after).toBe(`${TRAP}

[mcp_servers.claws]
command = "/opt/node"
args = ["C:\\\\x \\"y\\"", "mcp", "serve"]

[mcp_servers.claws.env]
A = "b\\u007f"
`);
  });
});
