import { expect, test } from "vitest";
import { foreignness, isLoopback } from "./origin.ts";

const LOCAL = { host: "127.0.0.1", port: 7000, hosts: [] };
const EVERYWHERE = { host: "0.0.0.0", port: 7000, hosts: ["claw.example"] };
const ONE = { host: "192.168.1.5", port: 7000, hosts: [] };

test.each([
  [LOCAL, { host: "localhost:7000" }, undefined],
  [LOCAL, { host: "127.0.0.1:7000", origin: "http://localhost:7000" }, undefined],
  [LOCAL, { host: "LOCALHOST.:7000" }, "host not allowed"],
  [LOCAL, { host: "evil.example:7000" }, "host not allowed"],
  [LOCAL, { host: "192.168.1.5:7000" }, "host not allowed"],
  [LOCAL, { host: "localhost:7000", origin: "http://localhost:7001" }, "origin not allowed"],
  [LOCAL, { host: "localhost:7000", origin: "http://evil.example:7000" }, "origin not allowed"],
  [ONE, { host: "192.168.1.5:7000", origin: "http://192.168.1.5:7000" }, undefined],
  [ONE, { host: "192.168.1.6:7000" }, "host not allowed"],
  [EVERYWHERE, { host: "192.168.1.5:7000", origin: "http://192.168.1.5:7000" }, undefined],
  [EVERYWHERE, { host: "[fe80::1]:7000", origin: "http://[fe80::1]:7000" }, undefined],
  [EVERYWHERE, { host: "192.168.1.5:7000", origin: "http://192.168.1.9:7000" }, "origin not allowed"],
  [EVERYWHERE, { host: "192.168.1.5:7000", origin: "http://localhost:7000" }, "origin not allowed"],
  [EVERYWHERE, { host: "0.0.0.0:7000" }, "host not allowed"],
  [EVERYWHERE, { host: "evil.example" }, "host not allowed"],
  [EVERYWHERE, { host: "claw.example", origin: "https://claw.example" }, undefined],
  [EVERYWHERE, { host: "claw.example", origin: "null" }, "origin not allowed"],
  [EVERYWHERE, {}, "host not allowed"],
])("listening at %j, the headers %j are answered: %s", (options, headers, expected) => {
  expect(foreignness({ headers }, options)).toBe(expected);
});

test("only addresses of this machine alone are loopback", () => {
  const hosts = ["localhost", "127.0.0.1", "127.1.2.3", "::1", "[::1]", "0.0.0.0", "::", "127.0.0.1.evil.example", ""];
  expect(hosts.filter(isLoopback)).toEqual(["localhost", "127.0.0.1", "127.1.2.3", "::1", "[::1]"]);
});
