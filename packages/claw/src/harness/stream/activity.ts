import { isObject, oneLine, textOf } from "claw-contract";
import type { RunUpdate } from "./run-update.ts";

const MAX_DETAIL_CHARS = 60;

/** Fields of a tool's input that describe the call in a few words, the best description first. */
const SHOWN_ARGUMENTS = ["description", "command", "file_path", "path", "query", "pattern", "url", "prompt"];

function detailOf(input: unknown): string {
  if (!isObject(input)) return "";
  const telling = SHOWN_ARGUMENTS.map((field) => textOf(input[field])).find((text) => text !== "") ?? "";
  return oneLine(telling.slice(0, MAX_DETAIL_CHARS));
}

/** A call of a tool in a few words. */
export function describeCall(name: string, input: unknown): string {
  const detail = detailOf(input);
  return detail === "" ? name : `${name}: ${detail}`;
}

/** What an agent is doing, in a few words; null when an update says nothing about it. */
export function activityOf(update: RunUpdate): string | null {
  switch (update.kind) {
    case "text":
    case "text-delta":
      return "writing";
    case "thinking":
      return "thinking";
    case "tool-call":
      return describeCall(update.name, update.input);
    case "tool-result":
      return "thinking";
    case "retry":
      return "trying again";
    case "request":
      return `asking about ${update.tool}`;
    case "session":
    case "turn-started":
      return "starting";
    case "turn-end":
      return "done";
    case "message":
    case "task":
    case "permission-denied":
    case "usage":
    case "limit":
    case "failure":
    case "notice":
    case "model":
    case "warning":
      return null;
  }
}
