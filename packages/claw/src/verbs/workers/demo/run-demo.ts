import type { EventItem, Orchestrator } from "claw-client";
import type { JsonObject, VerbInput, VerbItem, VerbOutput } from "claw-contract";
import { ClawError, objectOf, OLDEST, spawnRequest } from "claw-contract";
import type { DaemonRecord } from "../../../daemon/index.ts";
import { spawnDaemon } from "../../../daemon/index.ts";
import { signalTo } from "../../../process/index.ts";
import { spawnThatWorks } from "../spawn/read-spawn.ts";
import type { Ports, VerbStream } from "../../runtime/handle.ts";
import { joinAsOrchestrator } from "../../bus/open-bus.ts";
import { createAudience } from "./audience.ts";
import type { Audience, DemoDecision } from "./audience.ts";
import { DEMO_CAST, DEMO_VICTIM } from "./demo-cast.ts";
import { makeDemoLink, openDemoLink } from "./demo-page.ts";
import { demoMark, makeDemoPlace } from "./demo-place.ts";
import type { DemoPlace } from "./demo-place.ts";
import { endDemo } from "./end-demo.ts";
import { narrate } from "./narrate.ts";
import type { DemoStory } from "./story.ts";
import { createStory } from "./story.ts";

type Input = VerbInput<"demo">;
type Output = VerbOutput<"demo">;
/** Starts a daemon like `claw up`, for the folder of the demonstration. */
const startDaemon = ({ folder, root }: DemoPlace, { program, signal, env }: Ports): Promise<DaemonRecord> => {
  const mark = demoMark(root);
  const flags = ["--foreground", "--output-format=json", "--envelope=claw", `--cwd=${folder}`];
  const request = {
    cwd: folder,
    argv: [...program, "up", ...flags] as const,
    env: { ...env, [mark.name]: mark.value },
  };
  return spawnDaemon(request, signal);
};

async function startCast(bus: Orchestrator, place: DemoPlace, story: DemoStory): Promise<void> {
  const started = DEMO_CAST.map(async ({ name, mission, check }) => {
    const request = spawnRequest({
      name,
      mission,
      harness: "fake",
      scenario: place.scenarioOf(name),
      worktree: true,
      checks: [check],
      trouble: { crash: "restart", restarts: 3 },
    });
    const { peerId } = await bus.request("worker.spawn", request);
    story.spawned(name, peerId);
  });
  await Promise.all(started);
}

/** Kills the process of a worker, as a crash would. Only this demonstration has started the process. */
function kill(pid: unknown): void {
  if (typeof pid === "number" && pid > 1) signalTo(pid, "SIGKILL");
}

interface Following {
  readonly bus: Orchestrator;
  readonly story: DemoStory;
  readonly audience: Audience;
  /** A controller for each open approval, by approval id. The controller aborts when the approval is answered or expires. */
  readonly open: Map<string, AbortController>;
}

/** Whether an answer came after another one, or after the deadline. */
const isLate = (error: unknown): boolean =>
  error instanceof ClawError && (error.code === "APPROVAL_ANSWERED" || error.code === "APPROVAL_EXPIRED");

/** Events that end a question. */
const ENDS_QUESTION: ReadonlySet<string> = new Set(["system.approval.answered", "system.approval.expired"]);

/** Lets the audience decide about a question, and passes the answer on unless the question is over by then. */
function answerQuestion(fields: JsonObject, { bus, story, audience, open }: Following): void {
  const { approvalId, peerId, message, subject, deadline } = fields;
  const { command = message } = objectOf(subject);
  const over = new AbortController();
  open.set(String(approvalId), over);
  const asked = {
    worker: story.nameOf(String(peerId)),
    what: String(command),
    deadlineMs: Date.parse(String(deadline)),
  };
  const answer = async (decision: DemoDecision | null): Promise<void> => {
    const reason = "decided in the demonstration";
    if (decision === null || over.signal.aborted) return;
    await bus.request("approval.answer", { approvalId: String(approvalId), decision, reason });
  };
  // The question may be answered on the page, or expire, while the answer is on its way.
  const isOver = (): boolean => audience.signal.aborted || over.signal.aborted;
  audience
    .decide(asked, over.signal)
    .then(answer)
    .catch((error: unknown) => (isOver() || isLate(error) ? undefined : story.failed(error)));
}

/**
 * Acts on an event where the demonstration has a part: answers an approval, and kills the process that plays the
 * accident.
 */
function takePart({ topic, data }: EventItem, following: Following): void {
  const fields = objectOf(data);
  if (topic === "system.approval.opened") answerQuestion(fields, following);
  if (ENDS_QUESTION.has(topic)) following.open.get(String(fields["approvalId"]))?.abort();
  if (following.story.isTimeToKill()) kill(following.story.pidOf(DEMO_VICTIM.name));
}

async function* followDemo(following: Following): AsyncGenerator<VerbItem<"demo">, void> {
  const { bus, story, audience } = following;
  for await (const item of bus.subscribe("**", { from: OLDEST, own: true })) {
    if (item.kind !== "event") continue;
    story.take(item);
    const line = narrate(item, story.nameOf);
    audience.show(line, story.workers());
    if (line !== undefined && !audience.looksOn) {
      yield { type: "demo", at: item.cursor, topic: item.topic, ...line };
    }
    takePart(item, following);
    if (story.isOver()) return;
  }
}

/** Leads the audience to the page before the story begins. */
async function* invite(
  bus: Orchestrator,
  audience: Audience,
  { noOpen }: Input,
  ports: Ports,
): AsyncGenerator<VerbItem<"demo">, void> {
  const link = await makeDemoLink(bus);
  if (audience.looksOn) audience.showPage(link, await openDemoLink(link, noOpen, ports));
  else if (typeof link !== "string") yield { type: "page", ...link };
}

interface DemoCall {
  readonly startedAt: number;
  readonly ports: Ports;
}

async function demoOutput(input: Input, place: DemoPlace, story: DemoStory, call: DemoCall): Promise<Output> {
  const keep = input.keep;
  const cd = `cd ${place.folder}`;
  return {
    folder: keep ? place.folder : null,
    workers: [...story.workers()],
    events_count: story.events(),
    duration_ms: Math.round(performance.now() - call.startedAt),
    next_steps: keep
      ? [
          { command: `${cd} && claw events --since 0000:0`, description: "Everything that happened" },
          { command: `${cd} && claw ps --all`, description: "Who did it" },
          { command: `${cd} && claw down`, description: "Stop its daemon" },
        ]
      : [
          { command: "claw up --web", description: "Start a daemon in a folder of yours, with the page" },
          { command: await spawnThatWorks(call.ports), description: "Let an agent work there" },
          { command: "claw ps --watch", description: "See what each is doing" },
        ],
  };
}

/** The verb `demo`. */
export async function* runDemo(input: Input, given: Ports): VerbStream<"demo"> {
  const startedAt = performance.now();
  const place = await makeDemoPlace(given);
  const audience = await createAudience(input, given);
  const ports = { ...given, signal: audience.signal };
  const story = createStory();
  let bus: Orchestrator | undefined;
  let over = false;
  try {
    const daemon = await startDaemon(place, ports);
    bus = await joinAsOrchestrator(
      { socket: daemon.socket, name: "demo" },
      ports,
      ({ connectOrchestrator }) => connectOrchestrator,
    );
    yield* invite(bus, audience, input, ports);
    await startCast(bus, place, story);
    yield* followDemo({ bus, story, audience, open: new Map() });
    ports.signal.throwIfAborted();
    const problem = story.problem();
    if (problem !== null) {
      throw new ClawError("WORKER_FAILED", problem, { operation: "demo", target: place.folder });
    }
    over = true;
    await audience.bow();
    return await demoOutput(input, place, story, { startedAt, ports });
  } catch (error) {
    // Ctrl-C closes the bus under calls that still run; the answer is that the person left.
    if (error instanceof ClawError && error.code === "BUS_CLOSED") ports.signal.throwIfAborted();
    throw error;
  } finally {
    audience.close();
    await bus?.close();
    if (over && input.keep) place.guard.over();
    else await endDemo(place);
  }
}
