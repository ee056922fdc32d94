import { LIMITS } from "@claw/contract";
import type { AboutTerminal } from "./about-terminal.ts";
import { readAbout, terminalFolder } from "./about-terminal.ts";
import type { EmulatedScreen } from "./emulate-screen.ts";
import type { RawPiece } from "./raw-folder.ts";
import { listSegments, readRaw } from "./raw-folder.ts";

/** What was kept of a terminal, read from the disk: nobody has to run for it. */
export interface StoredTerminal {
  readonly about: AboutTerminal;
  total(): number;
  read(range: { offset?: number; limit: number }): RawPiece;
  /** What one saw last. */
  screen(): Promise<EmulatedScreen>;
}

/** Undefined when nothing is kept of it. */
export function openStoredTerminal(folder: string, id: string): StoredTerminal | undefined {
  const about = readAbout(folder, id);
  if (about === undefined) return undefined;
  const path = terminalFolder(folder, id);
  const read: StoredTerminal["read"] = ({ offset, limit }) => {
    const most = Math.min(limit, LIMITS.terminalReadBytes);
    return readRaw(listSegments(path), { ...(offset === undefined ? {} : { offset }), limit: most });
  };
  const total = (): number => read({ limit: 0 }).total;
  return {
    about,
    read,
    total,
    screen: async () => {
      // An emulator weighs more than all the rest here, and is rarely wanted.
      const { createScreenEmulator } = await import("./emulate-screen.ts");
      const emulator = createScreenEmulator({ total, read, sizes: () => about.sizes });
      try {
        return await emulator.look();
      } finally {
        emulator.close();
      }
    },
  };
}
