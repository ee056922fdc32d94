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

const HOSTILE_HOSTS = [
  "evil.example@127.0.0.1:7000",
  "127.0.0.1@evil.example:7000",
  "user:secret@localhost:7000",
  "127.0.0.1.",
  "127.0.0.1.:7000",
  "localhost.:7000",
  "127.1:7000",
  "127.0.1",
  "2130706433",
  "0x7f.0.0.1",
  "0177.0.0.1",
  "127.0.0.1%00.evil.example",
  "%31%32%37.0.0.1",
  "127。0。0。1",
  "127.999.0.1",
  "127.0.0.1:7000:7000",
  "127.0.0.1:",
  "127.0.0.1:x",
  "127.0.0.1:7000/",
  "127.0.0.1/evil.example",
  "127.0.0.1\\evil.example",
  "127.0.0.1?evil.example",
  "127.0.0.1#evil.example",
  "127.0.0.1, evil.example",
  "127.0.0.1 evil.example",
  " 127.0.0.1",
  "http://127.0.0.1:7000",
  "[::1",
  "::1",
  "[::1].evil.example",
  "[::1%25lo]",
  "[127.0.0.1]",
  "[::ffff:127.0.0.1]",
  "localhost.evil.example",
  "evil.example.localhost",
  "",
];

test.each(HOSTILE_HOSTS)("the host %j is refused", (host) => {
  expect(foreignness({ headers: { host } }, LOCAL)).toBe("host not allowed");
});

const HOSTILE_ORIGINS = [
  "http://evil.example@127.0.0.1:7000",
  "http://127.0.0.1:7000@evil.example",
  "http://127.0.0.1.:7000",
  "http://localhost.:7000",
  "http://127.1:7000",
  "http://2130706433:7000",
  "http://127.0.0.1:7000/",
  "http://127.0.0.1:7000.evil.example",
  "http://127.0.0.1:7000, http://evil.example",
  "http:127.0.0.1:7000",
  "http:\\\\127.0.0.1:7000",
  "ws://127.0.0.1:7000",
  "chrome-extension://127.0.0.1:7000",
  "blob:http://127.0.0.1:7000/1",
  "file://",
  "null",
  "127.0.0.1:7000",
  "http://localhost.evil.example:7000",
  "http://127.0.0.1",
  "",
];

test.each(HOSTILE_ORIGINS)("the origin %j is refused", (origin) => {
  expect(foreignness({ headers: { host: "127.0.0.1:7000", origin } }, LOCAL)).toBe("origin not allowed");
});

test.each(["127.0.0.1", "127.0.0.1:1", "127.8.9.10:7000", "LocalHost:7000", "[::1]", "[::1]:7000"])(
  "the host %j is let in",
  (host) => {
    expect(foreignness({ headers: { host } }, LOCAL)).toBeUndefined();
  },
);

test("only addresses of this machine alone are loopback", () => {
  const hosts = ["localhost", "127.0.0.1", "127.1.2.3", "::1", "[::1]", "0.0.0.0", "::", "127.0.0.1.evil.example", ""];
  expect(hosts.filter(isLoopback)).toEqual(["localhost", "127.0.0.1", "127.1.2.3", "::1", "[::1]"]);
});
