import type { Answer, Attempt, ModelScenario, Reaction } from "../model-server/model-scenario.ts";
import { say, use } from "../model-server/model-scenario.ts";

/** What the person asks of the lead, and what the lead asks of its worker. */
export const LEAD_PROMPT = "LEAD-JOB: let a worker write the note, and tell me when it is there";
const MISSION = "WORKER-JOB: think it over, then write the note";

/** Name of a tool as a client's model calls it. */
export type ToolNamer = (
  tool: string,
) => Pick<Extract<Answer["blocks"][number], { kind: "tool" }>, "name" | "namespace">;

type Facts = Readonly<Record<string, unknown>>;

/** The facts of a tool's answer: some clients hand on the data, others the text, with words around it. */
function factsOf(output: string): Facts {
  const [start, end] = [output.indexOf("{"), output.lastIndexOf("}")];
  try {
    return JSON.parse(output.slice(start, end + 1)) as Facts;
  } catch {
    return {};
  }
}

/** The time that a worker thinks: more than two minutes, in steps in which its model says a few words. */
const STEP_MS = 2500;
const STEPS = 50;

const THINKING: Answer = {
  kind: "answer",
  blocks: [
    { kind: "text", text: "Let me think".repeat(STEPS) },
    { kind: "tool", name: "Write", input: { file_path: "__RUN__/out.txt", content: "written by the model\n" } },
  ],
  dripMs: STEP_MS,
};

/** Least time of a worker, by its script. */
export const WORKER_MS = STEP_MS * STEPS;

const START = { mission: MISSION, name: "writer", harness: "claude-code" };

const SAW = "The lead saw:";

/** What the lead says in the end when its worker's work is done. */
export const SAW_DONE = `${SAW} done, finished`;

/** A lead that waits by calls: it starts a worker, goes on waiting, answers its question, and says how it ended. */
function waitingLead(name: ToolNamer, order: Facts): Reaction {
  const call = (tool: string, input: Facts): Answer => ({
    kind: "answer",
    blocks: [{ kind: "tool", input: { ...input }, ...name(tool) }],
  });
  return ({ results }): Attempt => {
    const all = results.map(({ output }) => factsOf(output));
    const facts = all.at(-1);
    if (facts === undefined) return call("claws_run", order);
    const cursor = all.findLast((each) => each["cursor"] !== undefined)?.["cursor"];
    const [approval] = Array.isArray(facts["approvals"]) ? (facts["approvals"] as Facts[]) : [];
    if (approval !== undefined) {
      return call("claws_answer", { approval: approval["id"], hash: approval["hash"], decision: "approve" });
    }
    const { status } = facts;
    if (status === "needs_input") return call("claws_approvals", {});
    if (status === "working" || (status === undefined && cursor !== undefined)) return call("claws_wait", { cursor });
    const [worker = {}] = Array.isArray(facts["workers"]) ? (facts["workers"] as Facts[]) : [];
    return say(`${SAW} ${String(status)}, ${String(worker["state"])}; ${results.at(-1)?.output.slice(0, 200)}`);
  };
}

const WORKER = { prompt: "WORKER-JOB", turns: [THINKING, say("The note is written.")] };

/** A lead that waits by calls, and its worker. */
export const waitingScenario = (name: ToolNamer): ModelScenario => ({
  turns: [say("A title")],
  conversations: [
    { prompt: "Generate a title", turns: [say("A title")] },
    { prompt: "LEAD-JOB", turns: [waitingLead(name, START)] },
    WORKER,
  ],
});

const NAMES = ["one", "two", "three"] as const;

/** Workers of the fleet, each with a check of its file. */
const FLEET = {
  harness: "claude-code",
  workers: NAMES.map((name) => ({
    name,
    mission: `FLEET-JOB-${name}: write it`,
    checks: [`grep -q ${name} ${name}.txt`],
  })),
};

/** A lead of three workers that ask before they write, and whose files are checked. */
export const fleetScenario = (name: ToolNamer): ModelScenario => ({
  turns: [say("A title")],
  conversations: [
    { prompt: "Run three jobs in parallel", turns: [waitingLead(name, FLEET)] },
    ...NAMES.map((each) => ({
      prompt: `FLEET-JOB-${each}`,
      turns: [use("Write", { file_path: `__RUN__/${each}.txt`, content: `${each}\n` }), say(`${each} is written.`)],
    })),
  ],
});
/** A lead that starts a worker and ends its turn; its client wakes it. */
export const wokenScenario: ModelScenario = {
  turns: [say("A title")],
  conversations: [
    {
      prompt: "LEAD-JOB",
      turns: [use("mcp__claws__claws_run", START), say("It is on its way."), say("The lead was woken.")],
    },
    WORKER,
  ],
};
