import type { Terminal as Emulator } from "@xterm/headless";

/** The mode of a terminal in which its cursor is shown. */
const SHOWS_CURSOR = 25;

/** Follows whether the program hides the cursor, which an emulator does not tell. Returns how to ask. */
export function watchCursor({ parser }: Emulator): () => boolean {
  let isHidden = false;
  const follow = (final: "h" | "l"): void => {
    parser.registerCsiHandler({ prefix: "?", final }, (modes) => {
      if (modes.includes(SHOWS_CURSOR)) isHidden = final === "l";
      return false;
    });
  };
  follow("h");
  follow("l");
  const reset = (): boolean => {
    isHidden = false;
    return false;
  };
  parser.registerEscHandler({ final: "c" }, reset);
  parser.registerCsiHandler({ intermediates: "!", final: "p" }, reset);
  return () => isHidden;
}
