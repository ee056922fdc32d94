const numbers = (version: string): number[] => version.split(/[.+-]/, 3).map(Number);

/** Below zero when the first is older, above when it is newer. Only the three numbers count. */
export function compareVersions(a: string, b: string): number {
  const [left, right] = [numbers(a), numbers(b)];
  const differing = [0, 1, 2].find((index) => (left[index] ?? 0) !== (right[index] ?? 0));
  return differing === undefined ? 0 : (left[differing] ?? 0) - (right[differing] ?? 0);
}

/** A behaviour of an agent that a reader of the agent's stream would not expect. */
interface Behaviour {
  /** First version with this behaviour, where known. */
  readonly since?: string;
  /** Last version with this behaviour, where known. */
  readonly until?: string;
  readonly text: string;
}

interface AgentKnowledge {
  /** Versions whose streams were recorded and are tested against, oldest first. */
  readonly recorded: readonly [string, ...string[]];
  readonly behaviours: readonly Behaviour[];
}

export type AgentId = "claude-code" | "codex";

/** Recorded versions and known behaviours of each agent. */
const KNOWLEDGE: Readonly<Record<AgentId, AgentKnowledge>> = {
  "claude-code": {
    recorded: ["2.1.197", "2.1.325"],
    behaviours: [
      {
        text: "A run ends when the process ends: several init and result events are normal, and the last result counts.",
      },
      { text: "A refusal of the API is a result with subtype success and is_error true." },
      { text: "A run that reached a limit or was interrupted has errors[] in the place of result." },
      { text: "stop_reason of assistant events is null; the one of the result counts." },
      {
        text: "Every failure of the API is retried ten times, for about three minutes, unless CLAUDE_CODE_MAX_RETRIES is set.",
      },
      { text: "SIGINT ends a run with exit 0 and an error as its result." },
      { text: "A line on stdin that is no JSON ends it." },
      { since: "2.1.63", text: "The tool that starts sub-agents is called Agent; Task is another name for it." },
      { since: "2.1.187", text: "In plain -p the model cannot ask questions; in two-way runs it can." },
      {
        since: "2.1.198",
        text: "Sub-agents work in the background unless told otherwise, and the process waits for them after its first result.",
      },
      { until: "2.1.197", text: "Messages about a refusal of the API do not name its HTTP status." },
    ],
  },
  codex: {
    recorded: ["0.166.0"],
    behaviours: [
      { text: "An error event is no failure while it is retried; turn.failed is." },
      { text: "exec asks no questions: an action that needs permission is refused, and only stderr says so." },
      { text: "A command that still runs when the turn ends has no item.completed." },
      { text: "Usage adds up over a thread that is resumed." },
      { text: "SIGINT ends a run with exit 1 and without turn.failed." },
      { text: "It waits for the end of stdin, even when the prompt is an argument." },
      { text: "A refused connection is retried without end." },
      { text: "U+2028 stands raw in a line, so lines must be cut at LF only." },
    ],
  },
};

/** Relation of a version to the recorded versions. */
export type VersionCoverage = "recorded" | "between" | "older" | "newer" | "unknown";

export function coverageOf(id: AgentId, version: string | null): VersionCoverage {
  const { recorded } = KNOWLEDGE[id];
  if (version === null) return "unknown";
  if (recorded.some((known) => compareVersions(known, version) === 0)) return "recorded";
  if (compareVersions(version, recorded[0]) < 0) return "older";
  return compareVersions(version, recorded.at(-1) ?? recorded[0]) > 0 ? "newer" : "between";
}

/** The known behaviours of a version; all behaviours of the agent when the version is unknown. */
export function behavioursOf(id: AgentId, version: string | null): string[] {
  const applies = ({ since, until }: Behaviour): boolean =>
    version === null ||
    ((since === undefined || compareVersions(version, since) >= 0) &&
      (until === undefined || compareVersions(version, until) <= 0));
  return KNOWLEDGE[id].behaviours.filter(applies).map(({ text }) => text);
}

/** The newest version whose streams are tested against. */
export const newestRecorded = (id: AgentId): string => KNOWLEDGE[id].recorded.at(-1) ?? KNOWLEDGE[id].recorded[0];
