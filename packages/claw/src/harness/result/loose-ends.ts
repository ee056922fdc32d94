import type { BackgroundTask, MessageStart } from "../stream/run-update.ts";
import { remember } from "../stores/remember.ts";

/** What the last message of the agent says about how the run ended. */
export interface FinalMessage {
  readonly stopReason: string | null;
  readonly endsWithQuestion: boolean;
  /** Whether the message calls the tool for questions to the user. */
  readonly asks: boolean;
}

export interface FinalMessageTracker {
  /** Begins a message, or continues the current message when the id is the same. */
  start(message: MessageStart): void;
  addText(text: string): void;
  addCall(name: string): void;
  final(): FinalMessage;
}

const ASKING_TOOL = "AskUserQuestion";
const QUESTION_MARK = 0x3f;

/** Whether a text ends in a visible character of ASCII, as most do. Serves the rows `short lines`. */
function endsInLetter(text: string): boolean {
  const last = text.charCodeAt(text.length - 1);
  return last > 0x20 && last < 0x7f;
}

export function createFinalMessageTracker(): FinalMessageTracker {
  let id: string | null = null;
  let stopReason: string | null = null;
  let endsWithQuestion = false;
  let asks = false;
  return {
    start(message) {
      const isSame = id !== null && id === message.id;
      ({ id } = message);
      stopReason = isSame ? (message.stopReason ?? stopReason) : message.stopReason;
      if (isSame) return;
      endsWithQuestion = false;
      asks = false;
    },
    addText(text) {
      const trimmed = endsInLetter(text) ? text : text.trimEnd();
      if (trimmed !== "") endsWithQuestion = trimmed.charCodeAt(trimmed.length - 1) === QUESTION_MARK;
    },
    addCall(name) {
      if (name === ASKING_TOOL) asks = true;
    },
    final: () => ({ stopReason, endsWithQuestion, asks }),
  };
}

interface Task {
  readonly isBackground: boolean;
  readonly state: BackgroundTask["state"];
  /** Whether a turn has ended since its state changed. */
  readonly isOld: boolean;
}

/** The tasks that run beside a conversation, with their states. */
export interface TaskBook {
  note(task: BackgroundTask): void;
  /**
   * Notes the end of a turn. Tasks cut off before do not count as left behind: the stop was on purpose, or the agent
   * knows about the stop.
   */
  noteTurnEnd(): void;
  running(): number;
  /** Whether the stream reported any task. */
  hasAny(): boolean;
  /** Background tasks that the agent did not wait for: tasks that still run, or were cut off after the last turn. */
  leftBehind(): number;
}

export function createTaskBook(): TaskBook {
  const tasks = new Map<string, Task>();
  const count = (counts: (task: Task) => boolean): number => [...tasks.values()].filter(counts).length;
  return {
    note({ id, state, background }) {
      const known = tasks.get(id);
      // A late report does not restart a task that has ended.
      if (known !== undefined && known.state !== "running" && state === "running") return;
      if (known?.state === "cut-off" && state === "ended") return;
      const isBackground = background ?? known?.isBackground ?? false;
      remember(tasks, id, { isBackground, state, isOld: false });
    },
    noteTurnEnd() {
      for (const [id, task] of tasks) if (!task.isOld) tasks.set(id, { ...task, isOld: true });
    },
    running: () => count(({ state }) => state === "running"),
    hasAny: () => tasks.size > 0,
    leftBehind: () =>
      count(
        ({ isBackground, state, isOld }) => isBackground && (state === "running" || (state === "cut-off" && !isOld)),
      ),
  };
}
