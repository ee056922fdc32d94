import { mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { temporaryFolder } from "../../files/testing/temporary-folder.ts";
import { segmentName } from "../storage/raw-folder.ts";
import { createFakePty } from "../testing/fake-pty.ts";
import { request } from "../testing/start-test-host.ts";
import { createTerminalHost } from "./terminal-host.ts";

/** The time that docs/workers/terminals.md promises. */
const UNWRITTEN_MS = 250;

test("output that no client asks for is written within the time that is promised, and asked for, at once", () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  onTestFinished(() => void vi.useRealTimers());
  const folder = join(temporaryFolder(onTestFinished), ".claws");
  mkdirSync(folder);
  const pty = createFakePty();
  const host = createTerminalHost({ folder, library: pty.library, report: (problem) => expect.fail(problem) });
  host.create(request("1", { argv: ["/bin/cat"] }));
  const path = join(folder, "terminals", "1", segmentName(0));
  pty.print("one");
  vi.advanceTimersByTime(UNWRITTEN_MS / 2);
  pty.print("two");
  vi.advanceTimersByTime(UNWRITTEN_MS / 2);
  expect(readFileSync(path, "utf8")).toBe("onetwo");
  pty.print("three");
  expect([host.find("1").log.total(), readFileSync(path, "utf8")]).toEqual([11, "onetwothree"]);
  pty.print("four");
  pty.exit({ exitCode: 0 });
  expect(readFileSync(path, "utf8")).toBe("onetwothreefour");
});
