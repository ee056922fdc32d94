import type { ResponseDecision, ResponseSituation } from "./situation.ts";
import { escalate, malformed } from "./situation.ts";
import { settle } from "./remember.ts";

/** Decides after exit 0. Exit 0 counts even when `ok` or `error` disagree. */
export function decideSuccess(situation: ResponseSituation): ResponseDecision {
  const { reading, command } = situation;
  const { data, error, meta } = reading;
  if (reading.problem !== undefined) return malformed(situation, reading.problem);
  const settled = { ...situation, history: settle(situation.history, command) };
  if (meta["not_modified"] === true) return useCache(settled);
  if (data === null && error === null) return malformed(situation, "data-and-error-null");
  const decision = meta["truncated"] === true ? decideTruncated(settled) : accept(settled);
  return error === null ? decision : { ...decision, anomalies: ["error-on-success"] };
}

function accept({ reading, history }: ResponseSituation): ResponseDecision {
  const cursor = cursorOf(reading.meta);
  return { action: { kind: "accept", data: reading.data, ...(cursor === undefined ? {} : { cursor }) }, history };
}

function useCache({ reading, history }: ResponseSituation): ResponseDecision {
  const anomalies = reading.data === null ? [] : (["not-modified-with-data"] as const);
  return { action: { kind: "use-cache" }, history, anomalies };
}

function decideTruncated(situation: ResponseSituation): ResponseDecision {
  const { reading, command, history } = situation;
  const cursor = cursorOf(reading.meta);
  if (cursor === undefined) return escalate(situation, "truncated-without-cursor");
  if (asksFor(command, cursor)) return escalate(situation, "cursor-repeats");
  return { action: { kind: "next-page", cursor, data: reading.data }, history };
}

/**
 * Whether the command already asked for this cursor. A page that names the same cursor again would be fetched without
 * end.
 */
function asksFor(command: string, cursor: string): boolean {
  const words = command.split(/\s+/);
  return words.some(
    (word, index) => word === `--cursor=${cursor}` || (word === cursor && words[index - 1] === "--cursor"),
  );
}

function cursorOf(meta: Record<string, unknown>): string | undefined {
  const { cursor } = meta;
  return typeof cursor === "string" && cursor !== "" ? cursor : undefined;
}
