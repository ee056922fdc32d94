import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import type { DaemonRecord } from "../../../daemon/index.ts";
import { temporaryFolder } from "../../../files/testing/temporary-folder.ts";
import { identifySelf } from "../../../process/index.ts";
import type { Ports } from "../../runtime/handle.ts";
import { createTestPorts } from "../../testing/test-ports.ts";
import { asSuccessor, requireReplaceable, wantsReplacement, warnOfVersion } from "./replace-daemon.ts";

const RECORD: DaemonRecord = {
  ...identifySelf(),
  socket: "/tmp/x.sock",
  http: "http://127.0.0.1:4321",
  token: null,
  durability: "strict",
  policy: "strict",
  started_at: "2026-01-01T00:00:00.000Z",
  flags: { http: "127.0.0.1:0", tee: true, rateLimit: 7 },
};

const INPUT = {
  foreground: false,
  requireToken: false,
  insecure: false,
  tee: false,
  replace: false,
  web: false,
  noOpen: false,
  dryRun: false,
} as const;

function portsOf(more: Partial<Ports> = {}): Ports {
  return createTestPorts(temporaryFolder(onTestFinished), { toolVersion: "0.2.0", ...more });
}

/** A person who gives this answer, and what the person was asked. */
function person(answer: string | null) {
  const asked: string[] = [];
  return { asked, terminal: { ask: (text: string) => (asked.push(text), Promise.resolve(answer)) } };
}

describe("whether a running daemon is replaced", () => {
  test.each([
    ["y", true],
    ["no", false],
    ["", false],
    [null, false],
  ])("a person who answers %j to the offer decides: %s", async (answer, wanted) => {
    const { asked, terminal } = person(answer);
    expect(await wantsReplacement(INPUT, RECORD, portsOf({ terminal }))).toBe(wanted);
    expect(asked).toEqual([
      "The daemon is of version 0.1.0. Replace it by 0.2.0? 0 running workers and all terminals go on. [y/N] ",
    ]);
  });

  test("nobody is asked about a daemon of the same or a newer version, or in a dry run", async () => {
    const { asked, terminal } = person("y");
    const ports = portsOf({ terminal });
    expect(await wantsReplacement(INPUT, { ...RECORD, version: "0.2.0" }, ports)).toBe(false);
    expect(await wantsReplacement(INPUT, { ...RECORD, version: "0.3.0" }, ports)).toBe(false);
    expect(await wantsReplacement({ ...INPUT, dryRun: true }, RECORD, ports)).toBe(false);
    expect(asked).toEqual([]);
  });

  test("a program decides by --replace", async () => {
    expect(await wantsReplacement(INPUT, RECORD, portsOf())).toBe(false);
    expect(await wantsReplacement({ ...INPUT, replace: true }, RECORD, portsOf())).toBe(true);
    expect(await wantsReplacement({ ...INPUT, replace: true }, { ...RECORD, version: "0.2.0" }, portsOf())).toBe(false);
  });
});

test("the successor has the daemon's flags and its port, and the flags of the call come first", () => {
  const call = { ...INPUT, rateLimit: 8, requireToken: true };
  expect(asSuccessor(call, portsOf(), RECORD)).toMatchObject({
    http: "127.0.0.1:4321",
    tee: true,
    rateLimit: 8,
    requireToken: true,
  });
});

test("a daemon of a newer version is not replaced", () => {
  expect(() => requireReplaceable({ ...RECORD, version: "0.2.1" }, portsOf())).toThrow(
    expect.objectContaining({ code: "DOWNGRADE_REFUSED" }),
  );
});

test("a terminal host of another protocol keeps its daemon", () => {
  const ports = portsOf();
  const folder = join(ports.cwd, ".claws");
  mkdirSync(folder);
  const host = { ...identifySelf(), socket: "/x", started_at: "", loaded_from: "", versions: { oldest: 2, newest: 3 } };
  writeFileSync(join(folder, "terminals.json"), JSON.stringify(host));
  expect(() => requireReplaceable(RECORD, ports)).toThrow(
    expect.objectContaining({ code: "PROTOCOL_MISMATCH", hint: expect.stringContaining("claw terminal list") }),
  );
});

test.each([
  ["0.1.0", /^DAEMON_OUTDATED: the daemon is of version 0.1.0, and this claw is 0.2.0; claw up --replace /],
  ["0.3.0", /^DAEMON_NEWER: the daemon is of version 0.3.0, and this claw is 0.2.0; /],
])("a warning names a daemon of version %s", (version, warning) => {
  const ports = portsOf();
  warnOfVersion({ ...RECORD, version }, ports);
  expect(ports.notes.notes().warnings).toEqual([expect.stringMatching(warning)]);
});
