import type { ContentBlock } from "./session-record.ts";

/** The texts among the blocks of a message, joined. */
export const blockText = (blocks: readonly ContentBlock[], separator = ""): string =>
  blocks.flatMap((block) => (block.type === "text" ? [block.text] : [])).join(separator);
