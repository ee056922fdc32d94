import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { runClaw, runNode } from "./child.ts";
import { sizeOf } from "./effort.ts";
import { fastest, interleave, median } from "./measure.ts";
import type { Progress, Row } from "./suite.ts";
import { row } from "./suite.ts";
import { withTempFolder } from "./temp-folder.ts";

const ROUNDS = sizeOf(15, 1);
const UNIT = "× node -e 0";

/** Lends a folder with a running daemon. */
async function withDaemon<T>(cwd: string, use: () => Promise<T>): Promise<T> {
  mkdirSync(cwd);
  await runClaw(["up"], { cwd });
  try {
    return await use();
  } finally {
    await runClaw(["down"], { cwd });
  }
}

/** How long claw takes to start and answer, against Node doing nothing. `ps` asks a daemon; the others need none. */
export function coldStart(progress: Progress): Promise<Row[]> {
  return withTempFolder(async (cwd) => {
    const daemonFolder = join(cwd, "daemon");
    const emptyFolder = join(cwd, "empty");
    mkdirSync(emptyFolder);
    const claw =
      (args: readonly string[], folder = emptyFolder) =>
      () =>
        runClaw(args, { cwd: folder });
    const contenders = {
      node: () => runNode(["-e", "0"], { cwd: emptyFolder }),
      list: claw(["list-sessions", "--output-format", "json"]),
      ps: claw(["ps", "--output-format", "json"], daemonFolder),
      version: claw(["--version"]),
      status: claw(["status"]),
      help: claw(["help"]),
    };
    const timings = await withDaemon(daemonFolder, () => interleave(contenders, ROUNDS, progress));
    const node = median(timings.node);
    const times = (name: keyof typeof contenders): number => median(timings[name]) / node;
    return [
      row("node -e 0", node, "ms"),
      row("claw list-sessions", median(timings.list), "ms"),
      row("claw list-sessions", times("list"), UNIT, { atMost: 1.6 }),
      row("claw list-sessions, fastest runs", fastest(timings.list) / fastest(timings.node), UNIT),
      row("claw ps", times("ps"), UNIT, { atMost: 2 }),
      row("claw --version", times("version"), UNIT),
      row("claw status", times("status"), UNIT, { atMost: 2 }),
      row("claw help", times("help"), UNIT, { atMost: 1.8 }),
    ];
  });
}
