import { ClawError } from "claw-contract";
import type { ResourceContent } from "../../layer/mcp-tables.ts";
import { callVerb } from "../call-verb.ts";
import type { ToolPorts } from "../tool-host.ts";
import { approvalRow } from "../tools/approvals.ts";
import { readEvents } from "../tools/events.ts";
import { workerRow } from "../tools/worker-row.ts";
import { showWorker } from "../tools/workers.ts";
import type { ResourceName } from "./resource-uri.ts";

/** Events in one part of the log. */
const LOG_EVENTS = 200;

interface Body {
  readonly mimeType: string;
  readonly text: string;
}

const json = (value: unknown): Body => ({ mimeType: "application/json", text: JSON.stringify(value) });

async function fleetBody(name: string, ports: ToolPorts): Promise<Body | undefined> {
  const { data } = await callVerb("ps", { fleet: name, all: true }, ports);
  return data.workers.length === 0 ? undefined : json({ fleet: name, workers: data.workers.map(workerRow) });
}

async function diffBody(worker: string, ports: ToolPorts): Promise<Body> {
  const { data } = await callVerb("diff", { worker }, ports);
  return { mimeType: "text/x-diff", text: data.patch ?? "" };
}

async function approvalsBody(ports: ToolPorts): Promise<Body> {
  const { data } = await callVerb("approvals", {}, ports);
  return json({ approvals: data.approvals.map(approvalRow) });
}

async function logBody(from: string | null, ports: ToolPorts): Promise<Body> {
  const since = from ?? "0000:0";
  return json(await readEvents({ topic: undefined, since, limit: LOG_EVENTS }, ports));
}

function bodyOf(named: ResourceName, ports: ToolPorts): Promise<Body | undefined> {
  if (named.kind === "worker") return showWorker(named.id, ports).then(json);
  if (named.kind === "diff") return diffBody(named.id, ports);
  if (named.kind === "fleet") return fleetBody(named.name, ports);
  return named.kind === "approvals" ? approvalsBody(ports) : logBody(named.from, ports);
}

/** Error codes of verbs that mean a missing resource. */
const MISSING = new Set(["WORKER_NOT_FOUND", "NO_WORKTREE"]);

/** The content of a resource; undefined when there is none. */
export async function readResource(
  uri: string,
  named: ResourceName,
  ports: ToolPorts,
): Promise<readonly ResourceContent[] | undefined> {
  try {
    const body = await bodyOf(named, ports);
    return body === undefined ? undefined : [{ uri, ...body }];
  } catch (error) {
    if (error instanceof ClawError && MISSING.has(error.code)) return undefined;
    throw error;
  }
}
