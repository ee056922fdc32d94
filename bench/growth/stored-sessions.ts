import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { inRounds } from "../bus/rounds.ts";
import { runClaw } from "../child.ts";
import { EFFORT } from "../effort.ts";
import { timeMs } from "../measure.ts";
import { fillStore, sessionText } from "../session-folder.ts";
import type { Progress, Row } from "../suite.ts";
import { contenderName, growthRows } from "./growth-rows.ts";

const SIZES = EFFORT === "smoke" ? [50, 100] : [100, 1000, 10_000, 100_000];
const SESSION_BYTES = 2000;
const CALL = ["list-sessions", "--limit", "50", "--output-format", "json"];

/** What many stored sessions cost the listing of the newest. */
export async function storedSessions(parent: string, progress: Progress): Promise<Row[]> {
  const text = await sessionText(parent, "claw", SESSION_BYTES);
  const folders = new Map<number, string>();
  for (const size of SIZES) {
    progress(`storing ${size} sessions`);
    const cwd = join(parent, `sessions-${size}`);
    mkdirSync(cwd);
    await fillStore(cwd, text, size);
    folders.set(size, cwd);
  }
  progress("listing them");
  const contenders = [...folders].map(([size, cwd]) => ({
    name: contenderName(size),
    measure: () => timeMs(() => runClaw(CALL, { cwd })),
  }));
  return growthRows(await inRounds(contenders), {
    plot: "growth-sessions",
    counts: "sessions stored",
    figure: "claw list-sessions",
    unit: "ms",
    sizes: SIZES,
    valueOf: (ms) => ms,
  });
}
