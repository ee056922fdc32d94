import { numberOf, objectOf } from "claw-contract";
import type { WorktreeChanges } from "claw-contract/schemas";
import type { JsonObject } from "claw-contract";
import { dollars } from "../../text/text-layout.ts";
import { changesText } from "../../workers/work/changes-text.ts";
import type { EventContent } from "./event-fields.ts";
import { aside, colon, lineOf } from "./event-fields.ts";

function verifiedText({ passed, checks }: JsonObject): string {
  const all = Array.isArray(checks) ? (checks as JsonObject[]) : [];
  const failed = all.filter((check) => check["passed"] !== true).map((check) => lineOf(check["command"]));
  return passed === true ? `passes its checks${aside(String(all.length))}` : `fails its checks: ${failed.join("; ")}`;
}

function terminatedText({ exit_code: code, signal, expected }: JsonObject): string {
  const how = lineOf(signal) !== "" ? `by ${lineOf(signal)}` : code === null ? "" : `with exit ${String(code)}`;
  return `its process has ended ${how}`.trimEnd() + aside(expected === false ? "unexpected" : "");
}

/** The counts of changes in a worktree, as an event reports them. */
function countsIn(changes: unknown): WorktreeChanges {
  const { files, insertions, deletions, commits, uncommitted } = objectOf(changes);
  const [a = 0, b = 0, c = 0, d = 0, e = 0] = [files, insertions, deletions, commits, uncommitted].map(numberOf);
  return { files: a, insertions: b, deletions: c, commits: d, uncommitted: e };
}

/** `system.worker.<word>`. */
function ofWorker({ word, data, nameOf }: EventContent): string | undefined {
  switch (word) {
    case "spawned": {
      const attempt = numberOf(data["attempt"]) ?? 1;
      const start = attempt > 1 ? `is started again (${attempt})${colon(data["reason"])}` : "is started";
      return `${start} with ${lineOf(data["harness"])}${colon(data["mission"])}`;
    }
    case "state":
      return `${data["state"] === "needs_input" ? "needs input" : `is ${lineOf(data["state"]).replace("_", " ")}`}${colon(data["reason"])}`;
    case "completed":
      return `ended with ${lineOf(data["result"])}${colon(data["summary"])}`;
    case "verified":
      return verifiedText(data);
    case "accepted":
      return `is accepted by ${nameOf(data["by"])}${colon(data["reason"])}`;
    case "rework":
      return `is sent back by ${nameOf(data["by"])}${colon(data["reason"])}`;
    case "terminated":
      return terminatedText(data);
    case "cleared":
      return `its worktree held no work and was removed${aside(lineOf(data["path"]))}`;
    case "kept": {
      const left = changesText(countsIn(data["changes"]), lineOf(data["branch"]));
      return `leaves ${left ?? "no changes"} in ${lineOf(data["path"])}${colon(data["reason"])}`;
    }
    case "removed":
      return `is removed by ${nameOf(data["by"])}`;
    case "alert":
      return `is in trouble${colon(data["message"])}${aside(lineOf(data["action"]))}`;
    default:
      return undefined;
  }
}

/** `system.approval.<word>`. */
function ofApproval({ word, data, nameOf }: EventContent): string | undefined {
  const id = lineOf(data["approvalId"]);
  if (word === "opened") return `asks${colon(data["message"])}${aside(`approval ${id}`)}`;
  if (word === "expired") return `approval ${id} is over${colon(data["reason"])}`;
  if (word !== "answered") return undefined;
  const what = data["decision"] === "approve" ? "allowed" : "refused";
  return `is ${what} by ${nameOf(data["by"])}${colon(data["chosen"] ?? data["reason"])}${aside(`approval ${id}`)}`;
}

const amountOf = (value: unknown, unit: unknown): string => {
  const amount = numberOf(value) ?? 0;
  return unit === "tokens" ? `${amount} tokens` : dollars(amount);
};

/** `system.budget.<word>`. */
function ofBudget({ word, data, nameOf }: EventContent): string | undefined {
  const { scope = "workspace", id, unit, limit } = data;
  if (word === "unmeasurable") return `${nameOf(id)} is paused${colon(data["reason"])}`;
  const whose = `the budget of the ${lineOf(scope)}${lineOf(id) === "" ? "" : ` ${nameOf(id)}`}`;
  const spent = amountOf(data["spent"] ?? data["current_usd"], unit);
  if (word === "exceeded") return `${whose} is reached: ${spent} of ${amountOf(limit, unit)}`;
  if (word === "warning") return `${whose}: ${spent} spent${limit === undefined ? "" : ` of ${amountOf(limit, unit)}`}`;
  return word === "set" ? `${whose} is set` : undefined;
}

/** `system.peer.<word>`. */
function ofPeer({ word, data }: EventContent): string | undefined {
  const role = lineOf(data["role"]);
  if (word === "joined" || word === "connected") return `joined${aside(role)}`;
  if (word === "left") return `left${aside(role, lineOf(data["reason"]))}`;
  return word === "stale" ? "has said nothing for too long" : undefined;
}

const OTHERS: Readonly<Record<string, (telling: EventContent) => string>> = {
  gate: ({ data }) => `was stopped: ${lineOf(data["tool"])}${colon(data["reason"])}`,
  malformed: ({ data }) => `sent what does not fit its schema${aside(lineOf(data["topic"]))}`,
  broadcast: ({ data }) => `to all peers${colon(data["text"])}`,
  command: ({ word, data }) => `${commandName(data)} is ${word}${colon(data["reason"])}`,
  terminal: ({ data }) => `terminal ${lineOf(data["terminal_id"])} was closed${aside(lineOf(data["close_origin"]))}`,
};

const commandName = ({ cmdTopic }: JsonObject): string => lineOf(cmdTopic).split(".").slice(2).join(".");

/** Text for an event of the server; undefined for an event without a special text. */
export function serverText(area: string, telling: EventContent): string | undefined {
  if (area === "worker") return ofWorker(telling);
  if (area === "approval") return ofApproval(telling);
  if (area === "budget") return ofBudget(telling);
  return area === "peer" ? ofPeer(telling) : OTHERS[area]?.(telling);
}
