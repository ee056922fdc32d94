import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Envelope } from "@claw/contract";
import { ENVELOPES } from "@claw/contract";
import { describe, expect, test } from "vitest";
import { stopAfterTest } from "./daemon-process.ts";
import { SCENARIOS } from "./golden-scenarios.ts";
import type { Ended } from "./run-claw.ts";
import { runClaw } from "./run-claw.ts";
import { seed } from "./seed.ts";
import type { Workspace } from "./workspace.ts";
import { createWorkspace } from "./workspace.ts";

/** A proxy nobody answers at, for every spelling of the variable. */
const UNROUTABLE = Object.fromEntries(
  ["HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "http_proxy", "https_proxy", "all_proxy"].map((name) => [
    name,
    "http://192.0.2.1:9",
  ]),
);

/**
 * Loaded into the process before claw: writes down every attempt to resolve a name or to open a connection. A socket
 * that is a file and an address that needs no resolving are no network.
 */
const WATCH_NETWORK = `
const { appendFileSync } = require("node:fs");
const note = (what) => appendFileSync(process.env.NETWORK_LOG, what + "\\n");
const net = require("node:net");
const dns = require("node:dns");
const connect = net.Socket.prototype.connect;
net.Socket.prototype.connect = function (...args) {
  if (args.flat()[0]?.path === undefined) note("connect");
  return connect.apply(this, args);
};
for (const name of ["lookup", "resolve", "resolve4", "resolve6"]) {
  const original = dns[name];
  dns[name] = (...args) => {
    if (!net.isIP(args[0])) note(name);
    return original(...args);
  };
}
note("watching");
`;

async function runWatched(workspace: Workspace, argv: readonly string[]): Promise<Ended & { network: string }> {
  const script = join(workspace.home, "watch-network.cjs");
  const log = join(workspace.home, "network.log");
  writeFileSync(script, WATCH_NETWORK);
  const env = { ...UNROUTABLE, NODE_OPTIONS: `--require=${script}`, NETWORK_LOG: log };
  const ended = await runClaw(workspace, argv, { env });
  return { ...ended, network: readFileSync(log, "utf8") };
}

type Body = Record<string, unknown>;

/** What each envelope promises about its own fields. */
const PROMISES: Readonly<Record<Envelope, (body: Body, exitCode: number | null) => void>> = {
  claw: (body, exitCode) =>
    expect(body).toMatchObject({
      timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/) as unknown,
      schema_version: "1.0",
      output_format: "json",
      exit_code: exitCode,
    }),
  flat: (body, exitCode) => expect(exitCode).toBe(body["type"] === "error" ? 1 : 0),
  response: (body, exitCode) => {
    expect(Object.keys(body)).toEqual(["ok", "data", "error", "warnings", "meta"]);
    expect(body["ok"]).toBe(exitCode === 0);
    expect(body["data"] === null).toBe(body["error"] !== null);
  },
};

/** Each scenario in one envelope: that all of them hold in all envelopes is seen where answers are compared whole. */
const CALLS = Object.entries(SCENARIOS).map(([name, scenario], index) => ({
  name,
  scenario,
  envelope: ENVELOPES[index % ENVELOPES.length] ?? "claw",
}));

describe("G1–G8: one object on stdout, nothing on stderr, exits that agree, no colours, no network", () => {
  test.each(CALLS)("$name in $envelope", async ({ scenario, envelope }) => {
    const workspace = createWorkspace();
    stopAfterTest(workspace);
    seed(workspace, scenario.seeds);
    await scenario.prepare?.(workspace);
    const argv = [...scenario.argv, "--output-format", "json", "--envelope", envelope];
    const { stdout, stderr, exitCode, network } = await runWatched(workspace, argv);
    expect(stdout.trimEnd()).toBe(stdout.slice(0, -1));
    expect(stderr).toBe("");
    expect(stdout).not.toContain("\u001B");
    expect(network).toMatch(/^(watching\n)+$/);
    PROMISES[envelope](JSON.parse(stdout) as Body, exitCode);
  });
});
