import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { ABOUT } from "../testing/stored-about.ts";
import { until } from "../../process/testing/until.ts";
import { temporaryFolder } from "../../files/testing/temporary-folder.ts";
import { makeTerminalFolder, writeAbout } from "../storage/about-terminal.ts";
import { createScreenEmulator } from "../screen/emulate-screen.ts";
import { createRawLog } from "../storage/raw-log.ts";
import { openStoredTerminal } from "../storage/stored-terminal.ts";
import { open, startTestHost } from "../testing/start-test-host.ts";

const OPEN = { ...ABOUT, pid: 1, sizes: [{ offset: 0, cols: 80, rows: 24 }] };

/** A terminal that has put out more than is kept of it: numbered lines of 80 bytes. */
function trimmedLog(lines: number) {
  const folder = join(temporaryFolder(onTestFinished), ".claws");
  mkdirSync(folder);
  const path = makeTerminalFolder(folder, "1");
  writeAbout(folder, OPEN);
  const limits = { segmentBytes: 32 * 1024, retainBytes: 128 * 1024 };
  const log = createRawLog({ folder: path, soon: (run) => void setImmediate(run), stuck: () => undefined, ...limits });
  for (let line = 1; line <= lines; line += 1) log.append(Buffer.from(`${String(line).padStart(78)}\r\n`));
  return { log, folder };
}

const lastLines = (lines: number): string[] =>
  Array.from({ length: 23 }, (_, index) => String(lines - 22 + index).padStart(78));

describe("a terminal whose beginning is no longer kept", () => {
  const LINES = 10_000;

  test("shows its newest lines, and that they are not the whole story", async () => {
    const { log, folder } = trimmedLog(LINES);
    expect(log.oldest()).toBeGreaterThan(0);
    const emulator = createScreenEmulator({ ...log, sizes: () => OPEN.sizes });
    onTestFinished(() => emulator.close());
    const screen = await emulator.look();
    expect(screen).toMatchObject({ exact: false, offset: LINES * 80, cols: 80, rows: 24 });
    expect(screen.lines.slice(0, 23)).toEqual(lastLines(LINES));
    log.close();
    const stored = await openStoredTerminal(folder, "1")?.screen();
    expect(stored).toEqual(screen);
  });

  test("is read from the oldest byte that is there, on to the newest, without a gap", () => {
    const { log, folder } = trimmedLog(LINES);
    log.close();
    const stored = openStoredTerminal(folder, "1");
    for (const source of [log, stored].flatMap((each) => each ?? [])) {
      const first = source.read({ offset: 0, limit: 80 });
      expect(first).toMatchObject({ offset: log.oldest(), total: LINES * 80 });
      let text = "";
      for (let at = first.offset; at < LINES * 80;) {
        const { bytes, offset } = source.read({ offset: at, limit: 5000 });
        expect(offset).toBe(at);
        text += bytes.toString();
        at += bytes.length;
      }
      expect(text.length).toBe(LINES * 80 - first.offset);
      expect(text.endsWith(`${String(LINES).padStart(78)}\r\n`)).toBe(true);
    }
  });
});

test("a line of ten megabytes is kept to the byte, and the screen shows its end", async () => {
  const host = await startTestHost();
  const client = await host.connect();
  await client.ask("follow", {});
  const bytes = 10 * 1024 * 1024;
  await open(client, "1", { argv: ["/bin/sh", "-c", `head -c ${bytes} /dev/zero | tr '\\0' x; printf end`] });
  await open(client, "2", { argv: ["/bin/cat"] });
  await client.ask("write", { terminalId: "2", data: Buffer.from("meanwhile\r").toString("base64") });
  await client.ask("wait", { terminalId: "2", from: 0 });
  await until("the end", () => client.facts.some(({ kind, terminalId }) => kind === "closed" && terminalId === "1"));
  const stored = openStoredTerminal(host.folder, "1");
  expect(stored?.total()).toBe(bytes + 3);
  const { screen } = await client.ask("screen", { terminalId: "1" });
  expect(screen).toMatchObject({ exact: false, offset: bytes + 3 });
  expect(screen.lines.join("")).toMatch(/^x{1800,}end$/);
});
