import { createHash } from "node:crypto";

/**
 * Remembers the texts of files that the model has seen. A tool then refuses to overwrite a file that changed meanwhile.
 */
export interface SeenFiles {
  saw(path: string, text: string): void;
  /** Whether the model has seen the file with another text. */
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
