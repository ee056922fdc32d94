import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { LIMITS } from "claw-contract";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { temporaryFolder } from "../../files/testing/temporary-folder.ts";
import { HOST_LOG, writeHostRecord } from "../storage/host-record.ts";
import { hostSocket, startHost } from "./start-host.ts";

const DEEP = join("/", "deep".repeat(30));

test("a host listens in its folder, or beside the daemon's socket where that path would be too long", () => {
  expect(hostSocket("/w/.claws", "/w/.claws/claws.sock")).toBe("/w/.claws/terminals.sock");
  expect(hostSocket(DEEP, "/run/c.sock")).toBe("/run/c.sock.terminals");
});

test("a host that no path is short enough for says which setting helps", () => {
  expect(() => hostSocket(DEEP, join(DEEP, "claws.sock"))).toThrow(
    expect.objectContaining({
      code: "TERMINAL_HOST_FAILED",
      message: expect.stringContaining("--socket") as string,
    }) as Error,
  );
});

test("the path of a socket is as long as the system lets it be, and not a byte longer", () => {
  const most = process.platform === "linux" ? 107 : 103;
  const folderOf = (bytes: number): string => `/${"d".repeat(bytes - "/".length - "/terminals.sock".length)}`;
  expect(hostSocket(folderOf(most), "/c.sock")).toHaveLength(most);
  expect(hostSocket(folderOf(most + 1), "/c.sock")).toBe("/c.sock.terminals");
});

describe("starting a host", () => {
  /** A folder, and how a shell script is started as its host. */
  function openFolder() {
    const folder = join(temporaryFolder(onTestFinished), ".claws");
    mkdirSync(folder, { mode: 0o700 });
    const start = (script: string) =>
      startHost({ folder, argv: ["/bin/sh", "-c", script, "host"], daemonSocket: "/c.sock", env: process.env });
    return { folder, start };
  }

  test("is not needed where one runs", async () => {
    const { folder, start } = openFolder();
    writeHostRecord(folder, "/s/t.sock", "/m/pty.js");
    expect(await start("exit 1")).toMatchObject({ pid: process.pid, socket: "/s/t.sock" });
  });

  test("fails with its last words when it ends, which is given its folder and its socket", async () => {
    const { folder, start } = openFolder();
    writeFileSync(join(folder, HOST_LOG), "said before\n");
    await expect(start('pwd; echo "$@"; echo broken >&2; exit 3')).rejects.toMatchObject({
      code: "TERMINAL_HOST_FAILED",
      message: "the terminal host did not start: broken",
      target: folder,
    });
    const said = ["said before", folder, `${folder} ${join(folder, "terminals.sock")}`, "broken", ""];
    expect(readFileSync(join(folder, HOST_LOG), "utf8").split("\n")).toEqual(said);
  });

  test("fails with 500 characters of its last line at most", async () => {
    const { folder, start } = openFolder();
    writeFileSync(join(folder, HOST_LOG), "w".repeat(501));
    const message = `the terminal host did not start: ${"w".repeat(500)}`;
    await expect(start("exit 3")).rejects.toMatchObject({ message });
  });

  test("fails when there is no such program", async () => {
    const { folder } = openFolder();
    const options = { folder, argv: ["/no/such/host"] as const, daemonSocket: "/c.sock", env: {} };
    await expect(startHost(options)).rejects.toMatchObject({ message: "the terminal host did not start: " });
  });

  test("is given up when it takes too long, and ended", async () => {
    vi.useFakeTimers({ toFake: ["Date"] });
    onTestFinished(() => void vi.useRealTimers());
    const { folder, start } = openFolder();
    const starting = start(`trap 'echo ended; exit' TERM; echo begun; while :; do sleep 0.05; done`);
    const log = (): string => readFileSync(join(folder, HOST_LOG), "utf8");
    await expect.poll(log, { interval: 5, timeout: 60_000 }).toBe("begun\n");
    vi.setSystemTime(Date.now() + LIMITS.terminalHostStartMs + 1);
    await expect(starting).rejects.toMatchObject({ message: "the terminal host did not start in time" });
    await expect.poll(log, { interval: 5, timeout: 60_000 }).toBe("begun\nended\n");
  });
});
