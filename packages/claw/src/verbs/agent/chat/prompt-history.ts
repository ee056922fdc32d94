import { constants } from "node:fs";
import { dirname, join } from "node:path";
import { ClawError, LIMITS, parseJson, nonEmptyText } from "claw-contract";
import {
  clawFolder,
  openUnshared,
  PRIVATE_FILE,
  PRIVATE_FOLDER,
  readSmallFile,
  writeAllBytes,
  writeFileAtomically,
  unlessRefused,
} from "../../../files/index.ts";
import type { Ports } from "../../runtime/handle.ts";

/** Size of the prompt history file; a larger file is replaced by a new file. */
const PROMPT_HISTORY_BYTES = 4 * 1024 * 1024;

/** What was typed in a folder, also by earlier sessions. */
export interface PromptHistory {
  /** The newest last. */
  entries(): readonly string[];
  /** Takes a prompt, unless it is the same as the last. Remembered without secrets. */
  add(prompt: string): void;
}

type HistoryPorts = Pick<Ports, "cwd" | "files" | "redactor">;

/** The prompt in a line of the file; undefined for a line without a prompt, such as a half-written line. */
const readEntry = (line: string): string | undefined => nonEmptyText(parseJson(line));

const lineOf = (prompt: string): string => `${JSON.stringify(prompt)}\n`;

function append({ files }: HistoryPorts, path: string, prompt: string): void {
  // Failed writes are passed over: the history is only a convenience.
  unlessRefused(() => {
    files.mkdirSync(dirname(path), { recursive: true, mode: PRIVATE_FOLDER });
    const flags = constants.O_WRONLY | constants.O_APPEND | constants.O_CREAT | constants.O_NOFOLLOW;
    const fd = openUnshared(files, path, flags);
    try {
      // A line is written at once, so that sessions beside each other do not mix theirs.
      writeAllBytes(files, fd, Buffer.from(lineOf(prompt)));
    } finally {
      files.closeSync(fd);
    }
  });
}

/** Where the history is; null where others have a hand in the folder: theirs is not read, and none is left to them. */
function findHistory({ cwd, files }: HistoryPorts): string | null {
  try {
    return join(clawFolder(cwd, "", files), "history");
  } catch (error) {
    if (error instanceof ClawError) return null;
    throw error;
  }
}

/** Reads the history of the working folder. A broken or too large history is begun anew at the same place. */
export function openPromptHistory(ports: HistoryPorts): PromptHistory {
  const path = findHistory(ports);
  const entries = path === null ? [] : readHistory(ports, path);
  return {
    entries: () => entries,
    add: (prompt) => {
      if (prompt.trim() === "" || prompt === entries.at(-1)) return;
      entries.push(prompt);
      if (entries.length > LIMITS.promptHistoryEntries) entries.shift();
      if (path === null || prompt.length > LIMITS.promptHistoryChars) return;
      append(ports, path, ports.redactor.redactText(prompt));
    },
  };
}

function readHistory(ports: HistoryPorts, path: string): string[] {
  const file = readSmallFile(path, PROMPT_HISTORY_BYTES);
  const lines = file.kind === "text" ? file.text.split("\n") : [];
  const entries = lines.flatMap((line) => readEntry(line) ?? []).slice(-LIMITS.promptHistoryEntries);
  if (file.kind === "unusable" || lines.length > LIMITS.promptHistoryEntries * 2) {
    unlessRefused(() => writeFileAtomically(ports.files, path, entries.map(lineOf).join(""), { mode: PRIVATE_FILE }));
  }
  return entries;
}
