import type { Terminal, TerminalScreen } from "claw-contract";
import { LIMITS } from "claw-contract";
import { readAbout, terminalFolder } from "./about-terminal.ts";
import type { RawPiece } from "./raw-folder.ts";
import { listOutputFiles, readRaw } from "./raw-folder.ts";

/** A terminal as stored on disk. Reading needs no running host. */
export interface StoredTerminal {
  readonly about: Terminal;
  total(): number;
  read(range: { offset?: number; limit: number }): RawPiece;
  /** The last visible screen. */
  screen(): Promise<TerminalScreen>;
}

/** Opens a stored terminal; undefined when the disk has no data of the terminal. */
export function openStoredTerminal(folder: string, id: string): StoredTerminal | undefined {
  const about = readAbout(folder, id);
  if (about === undefined) return undefined;
  const path = terminalFolder(folder, id);
  const read: StoredTerminal["read"] = ({ offset, limit }) => {
    const most = Math.min(limit, LIMITS.terminalReadBytes);
    return readRaw(listOutputFiles(path), { ...(offset === undefined ? {} : { offset }), limit: most });
  };
  const total = (): number => read({ limit: 0 }).total;
  return {
    about,
    read,
    total,
    screen: async () => {
      // Loaded late: the emulator is large and rarely needed.
      const { createScreenEmulator } = await import("../screen/emulate-screen.ts");
      const emulator = createScreenEmulator({ total, read, sizes: () => about.sizes });
      try {
        return await emulator.look();
      } finally {
        emulator.close();
      }
    },
  };
}
