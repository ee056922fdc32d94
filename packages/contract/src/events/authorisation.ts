import { addressParameters, addressPattern } from "./event-row.ts";
import type { Role } from "./fields.ts";
import { matchSegments, topicSegments } from "./topics.ts";

export const PUBLISH_FORBIDDEN = "publish forbidden — not your topic";

export type PublisherRole = Role | "server";

/** Facts the server knows about a peer when it decides. An absent field means: the peer owns none. */
export interface Publisher {
  readonly role: PublisherRole;
  readonly peerId: string;
  readonly taskIds?: readonly string[] | undefined;
  readonly terminalId?: string | undefined;
  readonly waveId?: string | undefined;
  readonly waveRole?: string | undefined;
  /** Calls to this peer that still wait for the peer's answer. */
  readonly openCalls?: readonly { readonly callerId: string; readonly requestId: string }[] | undefined;
}

export interface PublishRule {
  readonly role: PublisherRole;
  readonly effect: "allow" | "deny";
  /** Topics the rule covers. A named segment must be an id the publisher owns. */
  readonly topics: string;
  readonly summary: string;
}

/**
 * Rules for publishing. For each role the first rule that covers a topic decides; a topic without a rule is refused.
 * `.*.**` means one segment or more. Observers publish nothing.
 */
export const PUBLISH_RULES: readonly PublishRule[] = [
  { role: "worker", effect: "allow", topics: "worker.{peerId}.*.**", summary: "Facts about itself." },
  { role: "worker", effect: "allow", topics: "task.{taskId}.*.**", summary: "Tasks assigned to it." },
  { role: "worker", effect: "allow", topics: "output.{terminalId}.*.**", summary: "Output of the worker's terminal." },
  { role: "worker", effect: "allow", topics: "wave.{waveId}.{waveRole}.*.**", summary: "Its own part in its wave." },
  { role: "worker", effect: "allow", topics: "rpc.response.{callerId}.{requestId}", summary: "Calls made to it." },
  { role: "orchestrator", effect: "allow", topics: "worker.{peerId}.*.**", summary: "Facts about itself." },
  { role: "orchestrator", effect: "deny", topics: "worker.**", summary: "Facts about others are theirs to publish." },
  { role: "orchestrator", effect: "deny", topics: "system.**", summary: "The server alone speaks for the system." },
  { role: "orchestrator", effect: "allow", topics: "**", summary: "Everything else." },
  { role: "server", effect: "allow", topics: "system.*.**", summary: "Facts about the system." },
  { role: "server", effect: "allow", topics: "task.*.**", summary: "Where tasks stand." },
  { role: "server", effect: "allow", topics: "cmd.*.*.**", summary: "Commands it relays, expires or acknowledges." },
  { role: "server", effect: "allow", topics: "lifecycle.*.**", summary: "Changes of the lifecycle." },
  { role: "server", effect: "allow", topics: "vehicle.*.**", summary: "States of terminals." },
  { role: "server", effect: "allow", topics: "command.*.**", summary: "Shell commands in terminals." },
  { role: "server", effect: "allow", topics: "wave.*.**", summary: "Starts, ends and violations of waves." },
  { role: "server", effect: "allow", topics: "pipeline.*.**", summary: "Steps of pipelines." },
  { role: "server", effect: "allow", topics: "rpc.*.request", summary: "Calls it passes on." },
];

type Owned = Readonly<Record<string, string>>;

const answersOpenCall = ({ openCalls = [] }: Publisher, owned: Owned): boolean =>
  openCalls.some((call) => call.callerId === owned.callerId && call.requestId === owned.requestId);

/** Checks, by segment name, that the publisher owns the segment. */
const OWNERSHIP: Readonly<Record<string, (publisher: Publisher, owned: Owned) => boolean>> = {
  peerId: (publisher, owned) => owned.peerId === publisher.peerId,
  taskId: ({ taskIds = [] }, owned) => taskIds.some((taskId) => taskId === owned.taskId),
  terminalId: (publisher, owned) => owned.terminalId === publisher.terminalId,
  waveId: (publisher, owned) => owned.waveId === publisher.waveId,
  waveRole: (publisher, owned) => owned.waveRole === publisher.waveRole,
  callerId: answersOpenCall,
  requestId: answersOpenCall,
};

interface CompiledRule {
  readonly rule: PublishRule;
  readonly pattern: readonly string[];
  /** Name and position of each segment that the publisher must own. */
  readonly owned: readonly (readonly [name: string, index: number])[];
}

function compileRule(rule: PublishRule): CompiledRule {
  const segments = rule.topics.split(".");
  const owned = addressParameters(rule.topics).map((name) => [name, segments.indexOf(`{${name}}`)] as const);
  return { rule, pattern: addressPattern(rule.topics).split("."), owned };
}

const RULES = PUBLISH_RULES.map(compileRule);

// Ids that a peer chose for itself are compared, never made part of a pattern: one of them could be a wildcard.
function owns(publisher: Publisher, { owned }: CompiledRule, topic: readonly string[]): boolean {
  const values = Object.fromEntries(owned.map(([name, index]) => [name, topic[index] ?? ""]));
  return owned.every(([name]) => OWNERSHIP[name]?.(publisher, values) ?? false);
}

/** Whether this peer may publish on this topic. A text that is no concrete topic is refused for every peer. */
export function mayPublish(publisher: Publisher, topic: string): boolean {
  const segments = topicSegments(topic);
  if (segments === null) return false;
  const decisive = RULES.find(
    (compiled) =>
      compiled.rule.role === publisher.role &&
      matchSegments(compiled.pattern, segments) &&
      owns(publisher, compiled, segments),
  );
  return decisive?.rule.effect === "allow";
}

/**
 * The rules that allow a publish at an address such as `worker.{peerId}.boot`, for documentation. A segment that the
 * publisher must own has to be variable in the address: `task.assigned.{peerId}` holds no task id.
 */
export function publishersOf(address: string): PublishRule[] {
  const segments = address.split(".");
  const covering = RULES.filter(
    ({ pattern, owned }) =>
      matchSegments(pattern, segments) && owned.every(([, index]) => segments[index]?.startsWith("{") === true),
  );
  return covering
    .filter(({ rule }, index) => {
      const earlier = covering.slice(0, index).filter((other) => other.rule.role === rule.role);
      return rule.effect === "allow" && !earlier.some(({ owned }) => owned.length === 0);
    })
    .map(({ rule }) => rule);
}
