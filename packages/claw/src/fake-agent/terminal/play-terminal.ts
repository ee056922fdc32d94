import type { FakeScenario, JsonObject } from "claw-contract";
import { Mailbox } from "../mailbox.ts";
import type { Output } from "../output.ts";
import type { Performance } from "../perform.ts";
import { perform } from "../perform.ts";
import type { Play, ProcessEnding, Stage } from "../stage.ts";
import type { PlayedAnswer } from "../voice.ts";
import { isComplaint } from "../voice.ts";
import { createKeyReader } from "./keys.ts";
import type { PlayedKey } from "./keys.ts";
import type { BottomRows, PlayedScreen } from "./terminal-screen.ts";
import { createTerminalScreen, PASTES_OFF, PASTES_ON } from "./terminal-screen.ts";
import { TerminalVoice } from "./terminal-voice.ts";

/** How an agent draws the rows at the end of its screen. */
export interface TerminalLook {
  readonly title: string;
  readonly promptRows: (text: string, columns: number, isAtWork: boolean) => BottomRows;
  readonly questionRows: (question: string, columns: number) => BottomRows;
}

/** The hooks that an agent calls. */
export interface TerminalReports {
  /** Reports an event to the hooks. Resolves with the hooks' answer; never rejects. */
  run(event: string, fields: JsonObject, signal: AbortSignal): Promise<string>;
}

/** What an agent on a terminal was started with. */
export interface TerminalCall {
  readonly prompt: string | undefined;
  /** Whether the agent resumes an earlier conversation. */
  readonly resumes: boolean;
  readonly look: TerminalLook;
  readonly hooks: TerminalReports;
  /** The last line on the screen when the person leaves the agent. */
  readonly lastLine: string;
}

/** A question that waits on the screen. */
interface Dialog {
  readonly question: string;
  readonly settle: (given: PlayedAnswer) => void;
  readonly answered: AbortController;
}

interface Seat {
  readonly mail: Mailbox;
  readonly screen: PlayedScreen;
  readonly hooks: TerminalReports;
  readonly look: TerminalLook;
  readonly stage: Stage;
  readonly behaviour: NonNullable<FakeScenario["terminal"]>;
  text: string;
  isAtWork: boolean;
  dialog: Dialog | null;
  /** Ends the program. */
  readonly leave: () => void;
}

const FOREVER = new AbortController().signal;

function compose({ screen, stage, dialog, text, look, isAtWork }: Seat): Promise<void> {
  const columns = stage.columns();
  const rows = dialog === null ? look.promptRows(text, columns, isAtWork) : look.questionRows(dialog.question, columns);
  return screen.compose(rows);
}

async function setAtWork(seat: Seat, isAtWork: boolean): Promise<void> {
  seat.isAtWork = isAtWork;
  await compose(seat);
}

async function closeDialog(seat: Seat, given: PlayedAnswer): Promise<void> {
  const { dialog } = seat;
  if (dialog === null) return;
  seat.dialog = null;
  dialog.answered.abort();
  await compose(seat);
  dialog.settle(given);
}

/**
 * Asks a question before the first prompt, as agents do at their first start. Resolves when the person accepts; a
 * refusal ends the program.
 */
async function askFirst(seat: Seat, question: string): Promise<void> {
  const settled = new Promise<PlayedAnswer>(
    (settle) => (seat.dialog = { question, settle, answered: new AbortController() }),
  );
  await compose(seat);
  const { allowed } = await settled;
  if (allowed) await seat.screen.print(`Accepted: ${question}`);
  else seat.leave();
}

/** The decision in a hook's output; null when the hook leaves the decision to the person. */
function decisionIn(said: string): PlayedAnswer | null {
  try {
    const { hookSpecificOutput: specific } = JSON.parse(said) as { hookSpecificOutput?: { decision?: JsonObject } };
    const { behavior, message, updatedInput } = specific?.decision ?? {};
    if (behavior !== "allow" && behavior !== "deny") return null;
    const { answers = {} } = (updatedInput ?? {}) as { answers?: Record<string, string> };
    const text = Object.values(answers).join(", ") || (typeof message === "string" ? message : "");
    return { allowed: behavior === "allow", interrupt: false, text };
  } catch {
    // A hook whose output is no JSON leaves the decision to the person.
    return null;
  }
}

/** Asks on the screen and asks hooks; the first answer counts. */
async function showQuestion(seat: Seat, { ask: id, call, question }: JsonObject): Promise<void> {
  const settle = (given: PlayedAnswer): void => seat.mail.addAnswer(String(id), given);
  const dialog: Dialog = { question: String(question), settle, answered: new AbortController() };
  seat.dialog = dialog;
  await compose(seat);
  void askHooks(seat, dialog, call as JsonObject);
}

async function askHooks(seat: Seat, dialog: Dialog, call: JsonObject): Promise<void> {
  const decided = decisionIn(await seat.hooks.run("PermissionRequest", call, dialog.answered.signal));
  if (decided !== null && seat.dialog === dialog) await closeDialog(seat, decided);
}

function terminalOutput(seat: Seat): Output {
  const { screen, hooks } = seat;
  return {
    raw: (text) => screen.print(text.replace(/\n$/, "")),
    complain: (text) => screen.print(text.replace(/\n$/, "")),
    say: async (said) => {
      for (const item of said) {
        if (isComplaint(item)) await screen.print(item.complaint);
        else if (typeof item["line"] === "string") await screen.print(item["line"]);
        else if (typeof item["atWork"] === "boolean") await setAtWork(seat, item["atWork"]);
        else if (typeof item["hook"] === "string") await hooks.run(item["hook"], item["fields"] as JsonObject, FOREVER);
        else if (item["ask"] !== undefined) await showQuestion(seat, item);
      }
    },
  };
}

async function submit(seat: Seat): Promise<void> {
  const prompt = seat.text.trim();
  if (seat.behaviour.eats_enter) return;
  seat.text = "";
  await compose(seat);
  if (prompt === "/exit") seat.leave();
  else if (prompt !== "") seat.mail.addPrompt(prompt);
}

/** Handles a key while a question waits: Enter takes the first choice, a paste takes none. */
async function decideDialog(seat: Seat, key: PlayedKey): Promise<void> {
  const word = key.kind === "text" && !key.pasted ? key.text.at(0)?.toLowerCase() : undefined;
  const isYes = word === "y" || word === "1" || key.kind === "enter";
  if (isYes) await closeDialog(seat, { allowed: true, interrupt: false, text: "" });
  else if (word === "n" || key.kind === "interrupt") {
    await closeDialog(seat, { allowed: false, interrupt: true, text: "the person said no" });
  }
}

async function press(seat: Seat, key: PlayedKey): Promise<void> {
  if (seat.dialog !== null) return decideDialog(seat, key);
  if (key.kind === "enter") return submit(seat);
  if (key.kind === "end" || (key.kind === "interrupt" && key.hard && seat.text === "")) return seat.leave();
  if (key.kind === "interrupt") seat.mail.interrupt();
  if (key.kind === "text" && key.pasted) await seat.stage.wait(seat.behaviour.paste_delay_ms, FOREVER);
  if (key.kind === "text") seat.text += key.text;
  else seat.text = key.kind === "back" ? seat.text.slice(0, -1) : "";
  return compose(seat);
}

async function readKeys(seat: Seat): Promise<void> {
  const read = createKeyReader();
  for await (const bytes of seat.stage.input) for (const key of read(bytes)) await press(seat, key);
  seat.leave();
}

/** Plays an agent on a terminal, until the person leaves or the scenario ends the agent. Resolves with the ending. */
export async function playTerminal({ scenario, stage }: Play, call: TerminalCall, common: Performance) {
  const { hooks, look, lastLine } = call;
  const behaviour = scenario.terminal ?? { eats_enter: false, paste_delay_ms: 0, asks_first: [] };
  const screen = createTerminalScreen(stage);
  const mail = new Mailbox();
  // The prompt from the command line comes before any prompt that the person types meanwhile.
  if (call.prompt !== undefined) mail.addPrompt(call.prompt);
  let leave = (): void => undefined;
  const left = new Promise<ProcessEnding>((resolve) => (leave = () => resolve({ code: 0 })));
  // An agent with a prompt begins at once: between its first questions and its first turn it does not rest.
  const shown = { text: "", isAtWork: call.prompt !== undefined, dialog: null };
  const seat: Seat = { mail, screen, hooks, look, stage, behaviour, ...shown, leave: () => leave() };
  stage.rawInput();
  await stage.write("stdout", Buffer.from(`${PASTES_ON}${look.title}\r\n\r\n`));
  // When the terminal cannot be written to, no person is watching any more.
  void readKeys(seat).catch(() => seat.leave());
  for (const question of behaviour.asks_first) await Promise.race([left, askFirst(seat, question)]);
  await compose(seat);
  await hooks.run("SessionStart", { source: call.resumes ? "resume" : "startup" }, FOREVER);
  const output = terminalOutput(seat);
  const played = perform({ ...common, output, voice: new TerminalVoice(scenario), dialogue: mail });
  const ending = await Promise.race([left, played]);
  await hooks.run("SessionEnd", { reason: "prompt_input_exit" }, FOREVER);
  await stage.write("stdout", Buffer.from(`${PASTES_OFF}\r\n${lastLine}\r\n`));
  return ending;
}
