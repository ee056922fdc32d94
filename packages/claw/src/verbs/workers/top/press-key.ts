import type { Orchestrator } from "claw-client";
import type { WorkerView } from "claw-contract";
import type { FullScreen, ScreenKey } from "../../runtime/full-screen.ts";
import type { Ports } from "../../runtime/handle.ts";
import { PLAIN_PAINT } from "../../runtime/paint.ts";
import type { LogFollower } from "./log-follower.ts";
import type { TopStage } from "./run-top.ts";
import { askAbort, askAccept, askAnswer, failureText, pauseOrResume } from "./top-acts.ts";
import type { TopMoment, MomentApproval } from "./top-list.ts";
import { approvalOfItem, workerOfItem } from "./top-list.ts";
import { approvalPage, diffPage, helpPage, workerPage } from "./top-pages.ts";
import { roomOf } from "./top-rows.ts";
import type { TopQuestion } from "./top-state.ts";
import { moveBy, selectedItem } from "./top-state.ts";

export interface KeyParts {
  readonly stage: TopStage;
  readonly bus: Orchestrator;
  readonly screen: FullScreen;
  readonly ports: Ports;
  readonly follower: LogFollower;
  /** Ends `claw top`. */
  readonly leave: () => void;
}

/** What a key is about: the selected item, or the approval on the page. */
interface Target {
  readonly moment: TopMoment;
  readonly worker: WorkerView | undefined;
  readonly approval: MomentApproval | undefined;
}

/** Does the work of a key. Resolves with the line to show, or with a question. */
type Press = (target: Target, parts: KeyParts) => Promise<string | TopQuestion> | string | TopQuestion;

const onWorker =
  (press: (worker: WorkerView, parts: KeyParts) => ReturnType<Press>): Press =>
  ({ worker }, parts) =>
    worker === undefined ? "no worker is selected" : press(worker, parts);

function approve({ approval, worker }: Target, { bus, stage }: KeyParts): string | TopQuestion {
  if (approval !== undefined) {
    if (approval.options.length > 1 && approval.kind === "REQUEST") {
      stage.set({ page: approvalPage(approval, Date.now()) });
      return "the question has several options: press the number of one";
    }
    return askAnswer(bus, approval, "approve");
  }
  if (worker?.completion === "reported" || worker?.completion === "verified") return askAccept(bus, worker);
  return "nothing can be approved here; Enter shows more";
}

const reject: Press = ({ approval }, { bus }) =>
  approval === undefined ? "nothing can be rejected here" : askAnswer(bus, approval, "reject");

const showMore: Press = ({ approval, worker, moment }, { stage }) => {
  if (approval !== undefined) stage.set({ page: approvalPage(approval, Date.now()) });
  else if (worker !== undefined) stage.set({ page: workerPage(worker, moment) });
  return "";
};

const showLog = onWorker(async (worker, { follower }) => {
  await follower.open(worker);
  return "";
});

const showDiff = onWorker(async ({ name, peer_id: id }, { stage, ports }) => {
  const { handler } = await import("../work/diff.ts");
  const output = await handler.run({ worker: id, stat: false }, { ...ports, live: null, announce: () => undefined });
  if (!("files" in output)) return "";
  stage.set({ page: diffPage(name, handler.show(output, PLAIN_PAINT)) });
  return "";
});

const takeTerminal = onWorker(async ({ name, terminal_id: terminal }, { screen, ports }) => {
  if (terminal === null) return `${name} works without a terminal; l shows its log`;
  const { handler } = await import("../attach.ts");
  await screen.lend(async () => handler.run({ worker: terminal, detachKey: "^\\", dryRun: false }, ports));
  return `left the terminal of ${name}; it goes on`;
});

const PRESSES: Readonly<Record<string, Press>> = {
  a: approve,
  r: reject,
  enter: showMore,
  l: showLog,
  d: showDiff,
  t: takeTerminal,
  p: onWorker((worker, { bus }) => pauseOrResume(bus, worker)),
  x: onWorker((worker, { bus }) => (worker.ended ? `${worker.name} has ended` : askAbort(bus, worker))),
};

/** Keys that a page about an approval knows. */
const ANSWERS: ReadonlySet<ScreenKey> = new Set(["a", "r"]);

function targetOf({ stage }: KeyParts): Target | undefined {
  const state = stage.state();
  const { moment, page } = state;
  const item = selectedItem(state);
  if (moment === null) return undefined;
  if (page?.approvalId !== undefined) {
    const approval = moment.approvals.find(({ approvalId }) => approvalId === page.approvalId);
    return { moment, approval, worker: undefined };
  }
  if (item === undefined) return { moment, approval: undefined, worker: undefined };
  return { moment, approval: approvalOfItem(item, moment), worker: workerOfItem(item, moment) };
}

/** Runs the work of a key; its outcome, or its failure, is the new message. */
async function perform(parts: KeyParts, work: () => ReturnType<Press>): Promise<void> {
  const { stage } = parts;
  try {
    const outcome = await work();
    if (typeof outcome === "string") stage.set({ message: outcome });
    else stage.set({ question: outcome, message: "" });
  } catch (error) {
    stage.set({ message: failureText(error) });
  }
}

/** The answer of a key to an open question. */
function settle(parts: KeyParts, question: TopQuestion, key: ScreenKey): void {
  parts.stage.set({ question: null, message: key === "y" || key === "Y" ? "…" : "nothing was done" });
  if (key === "y" || key === "Y") void perform(parts, question.act);
}

/** Approves with the option of a digit, on the page of an approval. */
function choose(parts: KeyParts, key: ScreenKey): boolean {
  const { approval } = targetOf(parts) ?? {};
  const option = /^[1-9]$/.test(key) ? approval?.options[Number(key) - 1] : undefined;
  if (approval === undefined || option === undefined) return false;
  parts.stage.set({ question: askAnswer(parts.bus, approval, "approve", option.id) });
  return true;
}

function pressOnPage(parts: KeyParts, key: ScreenKey): void {
  const { stage } = parts;
  const { page } = stage.state();
  if (["escape", "q", "left", "backspace"].includes(key)) return stage.set({ page: null, message: "" });
  if (page?.approvalId === undefined || choose(parts, key) || !ANSWERS.has(key)) return undefined;
  return pressWith(parts, key);
}

function pressWith(parts: KeyParts, key: ScreenKey): void {
  const press = Object.hasOwn(PRESSES, key) ? PRESSES[key] : undefined;
  const target = targetOf(parts);
  if (press === undefined || target === undefined) return;
  if (target.approval === undefined && parts.stage.state().page?.approvalId !== undefined) {
    return parts.stage.set({ message: "this question is no longer open" });
  }
  void perform(parts, () => press(target, parts));
}

/** Makes the listener of the keys. Null means that the terminal is gone. */
export const createTopKeys =
  (parts: KeyParts) =>
  (key: ScreenKey | null): void => {
    const { stage, screen, leave } = parts;
    const state = stage.state();
    if (key === null || key === "interrupt") return leave();
    if (state.question !== null) return settle(parts, state.question, key);
    const moved = moveBy(state, key, roomOf({ columns: screen.columns(), rows: screen.rows() }));
    if (moved !== undefined) return stage.set(moved);
    if (key === "?") return stage.set({ page: helpPage() });
    if (state.page !== null) return pressOnPage(parts, key);
    return key === "q" ? leave() : pressWith(parts, key);
  };
