import { expect, test } from "vitest";
import { readServers } from "./read-servers.ts";

const ENV = { HOME: "/home/me", KEY: "k-1" };

test("a command is a process and a url is HTTP, with variables in place", () => {
  const { servers, problems } = readServers(
    {
      files: { command: "~/bin/files", args: ["--key", "${KEY}"], env: { TOKEN: "${KEY}" }, required: true },
      web: {
        type: "http",
        url: "http://localhost:1/${KEY}",
        headers: { Authorization: "Bearer ${KEY}" },
        toolCallTimeoutMs: 5,
      },
      plain: { url: "https://example.test/mcp" },
    },
    ENV,
  );
  expect(problems).toEqual([]);
  expect(servers).toEqual([
    {
      name: "files",
      kind: "stdio",
      argv: ["/home/me/bin/files", "--key", "k-1"],
      env: { TOKEN: "k-1" },
      required: true,
      callTimeoutMs: 120_000,
    },
    {
      name: "web",
      kind: "http",
      url: "http://localhost:1/k-1",
      headers: { authorization: "Bearer k-1" },
      required: false,
      callTimeoutMs: 5,
    },
    {
      name: "plain",
      kind: "http",
      url: "https://example.test/mcp",
      headers: {},
      required: false,
      callTimeoutMs: 120_000,
    },
  ]);
});

test.each([
  [null, "it must be an object with a command or a url"],
  [[], "it must be an object with a command or a url"],
  [{}, "it has neither command nor url"],
  [{ type: "pipe", url: "http://x" }, "type must be stdio, http or sse"],
  [{ command: 5 }, "command must be text"],
  [{ command: " " }, "command must not be empty"],
  [{ command: "a\0b" }, "command must be text"],
  [{ command: "x", args: "y" }, "args must be a list of texts"],
  [{ command: "x", args: ["y", 1] }, "args[1] must be text"],
  [{ command: "x", env: { A: 1 } }, "env.A must be text"],
  [{ command: "x", env: ["A"] }, "env must be an object of texts"],
  [{ command: "${NOWHERE}" }, "command needs the variable NOWHERE, which is not set"],
  [{ url: "file:///etc/passwd" }, "url must be an address of http or https"],
  [{ url: "nonsense" }, "url must be an address of http or https"],
  [{ url: "http://x", headers: { "a b": "c" } }, "headers must be names and values that HTTP can carry"],
  [{ url: "http://x", headers: { a: "b\nc: d" } }, "headers must be names and values that HTTP can carry"],
  [{ command: "x", toolCallTimeoutMs: "5" }, "toolCallTimeoutMs must be a number above 0"],
  [{ command: "x", required: "yes" }, "required must be true or false"],
])("%j is no server, is said to be none, and hides no other", (entry, message) => {
  const { servers, problems } = readServers({ broken: entry, fine: { command: "x" } }, ENV);
  expect(servers.map(({ name }) => name)).toEqual(["fine"]);
  expect(problems).toEqual([{ name: "broken", required: false, message }]);
});

test("a required one that is broken is known to be required", () => {
  expect(readServers({ broken: { required: true } }, ENV).problems).toMatchObject([{ required: true }]);
});
