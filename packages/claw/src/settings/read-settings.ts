import { closeSync, constants, fstatSync, openSync, readFileSync } from "node:fs";
import { LIMITS } from "@claw/contract";

export type FileReading =
  | { readonly kind: "values"; readonly values: Readonly<Record<string, unknown>> }
  | { readonly kind: "absent" }
  | { readonly kind: "invalid"; readonly problem: string };

const invalid = (problem: string): FileReading => ({ kind: "invalid", problem });

/** Where in a text JSON stops making sense; never the text itself, which may hold secrets. */
function placeOf(error: unknown, text: string): string {
  const position = /position (\d+)/.exec(error instanceof Error ? error.message : "")?.[1];
  if (position === undefined) return "at its end";
  const before = text.slice(0, Number(position)).split("\n");
  return `in line ${before.length}, column ${(before.at(-1)?.length ?? 0) + 1}`;
}

function parse(text: string): FileReading {
  if (text.trim() === "") return { kind: "values", values: {} };
  try {
    const values: unknown = JSON.parse(text);
    const isObject = typeof values === "object" && values !== null && !Array.isArray(values);
    return isObject ? { kind: "values", values: values as Record<string, unknown> } : invalid("it is no JSON object");
  } catch (error) {
    return invalid(`it is not JSON ${placeOf(error, text)}`);
  }
}

/** Reads one settings file. Never throws: what is wrong with the file is part of the answer. */
export function readSettingsFile(path: string): FileReading {
  let fd: number;
  try {
    // Without O_NONBLOCK a named pipe in the file's place would hold the call for ever.
    fd = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  } catch (error) {
    const errno = (error as NodeJS.ErrnoException).code;
    return errno === "ENOENT" || errno === "ENOTDIR" ? { kind: "absent" } : invalid(`it cannot be opened (${errno})`);
  }
  try {
    const stats = fstatSync(fd);
    if (!stats.isFile()) return invalid("it is no regular file");
    if (stats.size > LIMITS.settingsBytes) return invalid(`it is larger than ${LIMITS.settingsBytes} bytes`);
    return parse(readFileSync(fd, "utf8").replace(/^\uFEFF/, ""));
  } finally {
    closeSync(fd);
  }
}
