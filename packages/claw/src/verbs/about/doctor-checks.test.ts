import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { createFaultyFileSystem } from "../../files/testing/faulty-file-system.ts";
import { temporaryFolder } from "../../files/testing/temporary-folder.ts";
import { createSessionStore } from "../../sessions/index.ts";
import { CHECKS, lookAtNode, runDoctorCheck, sandboxFix } from "./doctor-checks.ts";
import type { Ports } from "../runtime/handle.ts";
import { createTestPorts } from "../testing/test-ports.ts";

async function check(id: string, ports: Ports) {
  const found = CHECKS.find((candidate) => candidate.id === id);
  if (found === undefined) throw new Error(`there is no check ${id}`);
  const { status, ok, summary, fix } = await runDoctorCheck(found, ports);
  return { status, ok, summary, fix };
}

const good = (summary: unknown) => ({ status: "ok", ok: true, summary, fix: null });
const open = (): Ports => createTestPorts(temporaryFolder(onTestFinished));

function write(ports: Ports, name: string, text: string): void {
  mkdirSync(join(ports.cwd, ".claw", "sessions"), { recursive: true });
  writeFileSync(join(ports.cwd, ".claw", name), text);
}

test("checks have ids of their own", () => {
  const ids = CHECKS.map((entry) => entry.id);
  expect(ids).toEqual([...new Set(ids)]);
});

test("node, folder and git are fine here", async () => {
  const ports = open();
  expect(await check("node", ports)).toEqual(
    good(`Node ${process.versions.node} on ${process.platform} ${process.arch}`),
  );
  expect(await check("folder", ports)).toEqual(good(`${ports.cwd} can be read and written`));
  expect(await check("git", ports)).toEqual(good(expect.stringMatching(/^git version /)));
});

test("a folder that is gone cannot be worked in", async () => {
  const ports = { ...open(), cwd: "/nowhere/at/all" };
  expect(await check("folder", ports)).toEqual({
    status: "fail",
    ok: false,
    summary: "/nowhere/at/all cannot be written",
    fix: "Work in a folder you own.",
  });
});

test("prices that are old, or a file of them that cannot be used, are a warning", async () => {
  const home = temporaryFolder(onTestFinished);
  const ports = createTestPorts(temporaryFolder(onTestFinished), { env: { CLAW_CONFIG_HOME: home } });
  writeFileSync(join(home, "settings.json"), '{"pricesFile":"prices.json"}');
  const prices = join(home, "prices.json");
  expect(await check("prices", ports)).toMatchObject({ status: "warn", summary: `${prices} cannot be read` });
  writeFileSync(prices, '{"as_of":"2999-01-01","prices":{}}');
  expect(await check("prices", ports)).toEqual(good(`prices of 2999-01-01, from ${prices}`));
  writeFileSync(prices, '{"as_of":"2020-01-01","prices":{}}');
  expect(await check("prices", ports)).toMatchObject({
    status: "warn",
    summary: expect.stringMatching(/^prices of 2020-01-01, from .* days old$/),
    fix: "Name a newer table by `pricesFile` in your settings, or update claw.",
  });
});

describe("settings", () => {
  test("that are missing or fine are fine", async () => {
    const ports = open();
    expect(await check("settings", ports)).toEqual(good("no settings; defaults hold"));
    write(ports, "settings.json", '{"model":"m"}');
    expect(await check("settings", ports)).toEqual(good("1 file in use"));
  });

  test("that do nothing are a warning, that are broken a failure", async () => {
    const ports = open();
    write(ports, "settings.json", '{"modle":"m"}');
    const warned = await check("settings", ports);
    expect([warned.status, warned.ok, warned.fix]).toEqual(["warn", true, "Remove what has no effect."]);
    write(ports, "settings.json", '{"model":5}');
    const failed = await check("settings", ports);
    expect([failed.status, failed.ok, failed.fix]).toEqual(["fail", false, "Mend the file, then run: claw config"]);
  });
});

describe("sessions", () => {
  test("are counted", async () => {
    const ports = open();
    expect(await check("sessions", ports)).toEqual(good("0 stored sessions"));
    write(ports, "sessions/a.jsonl", "");
    expect(await check("sessions", ports)).toEqual(good("1 stored session"));
  });

  test("that are none are a warning", async () => {
    const ports = open();
    write(ports, "sessions/bad name.jsonl", "");
    expect(await check("sessions", ports)).toEqual({
      status: "warn",
      ok: true,
      summary: "no session files: bad name.jsonl",
      fix: "Move them out of .claw/sessions.",
    });
  });

  test("that cannot be read are a failure, not a crash", async () => {
    const ports = open();
    write(ports, "sessions/a.jsonl", "x");
    for (const at of [0, 1, 2, 3]) {
      const { fs } = createFaultyFileSystem({ at, errno: "EACCES" });
      const sessions = createSessionStore(fs, { cwd: ports.cwd });
      const outcome = await check("sessions", { ...ports, sessions }).catch((error: unknown) => error);
      expect([at, outcome]).toEqual([at, expect.objectContaining({ status: "fail", ok: false })]);
    }
  });
});

test("credentials are named, never shown", async () => {
  const ports = open();
  expect(await check("credentials", ports)).toMatchObject({ status: "warn", ok: true, summary: "no model key is set" });
  const env = { ...ports.env, ANTHROPIC_API_KEY: "sk-ant-secret", OPENAI_API_KEY: "" };
  expect(await check("credentials", { ...ports, env })).toEqual(good("set: ANTHROPIC_API_KEY"));
});

test("a platform that is served in part is said to be", () => {
  expect([lookAtNode("linux").status, lookAtNode("darwin").status]).toEqual(["ok", "ok"]);
  expect(lookAtNode("win32")).toMatchObject({ status: "warn", summary: expect.stringContaining("win32") as string });
});

test("only Linux is told to install bubblewrap", () => {
  const names = (["linux", "darwin", "win32"] as const).map((platform) => sandboxFix(platform).includes("bubblewrap"));
  expect(names).toEqual([true, false, false]);
});
