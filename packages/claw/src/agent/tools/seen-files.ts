import { createHash } from "node:crypto";

/** What the model has seen of files, so that it does not write over what somebody else changed meanwhile. */
export interface SeenFiles {
  saw(path: string, text: string): void;
  /** Whether the file was seen, and was another then. */
  isStale(path: string, text: string): boolean;
}

const digest = (text: string): string => createHash("sha256").update(text).digest("base64");

export function createSeenFiles(): SeenFiles {
  const seen = new Map<string, string>();
  return {
    saw: (path, text) => void seen.set(path, digest(text)),
    isStale: (path, text) => {
      const before = seen.get(path);
      return before !== undefined && before !== digest(text);
    },
  };
}
