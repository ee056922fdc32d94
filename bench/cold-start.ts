import { runClaw, runNode } from "./child.ts";
import { fastest, interleave, median } from "./measure.ts";
import type { Progress, Row } from "./suite.ts";
import { row } from "./suite.ts";
import { withTempFolder } from "./temp-folder.ts";

const ROUNDS = 15;
const UNIT = "× node -e 0";

/** How long claw takes to start and answer in an empty folder, against Node doing nothing. */
export function coldStart(progress: Progress): Promise<Row[]> {
  return withTempFolder(async (cwd) => {
    const claw = (args: readonly string[]) => () => runClaw(args, { cwd });
    const timings = await interleave(
      {
        node: () => runNode(["-e", "0"], { cwd }),
        list: claw(["list-sessions", "--output-format", "json"]),
        version: claw(["--version"]),
        status: claw(["status"]),
        help: claw(["help"]),
      },
      ROUNDS,
      progress,
    );
    const node = median(timings.node);
    return [
      row("node -e 0", node, "ms"),
      row("claw list-sessions", median(timings.list), "ms"),
      row("claw list-sessions", median(timings.list) / node, UNIT, { atMost: 1.8 }),
      row("claw list-sessions, fastest runs", fastest(timings.list) / fastest(timings.node), UNIT),
      row("claw --version", median(timings.version) / node, UNIT),
      row("claw status", median(timings.status) / node, UNIT),
      row("claw help", median(timings.help) / node, UNIT),
    ];
  });
}
