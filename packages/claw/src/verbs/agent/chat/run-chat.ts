import { ClawError, LIMITS, nearest } from "claw-contract";
import type { TurnEvent } from "../../../agent/index.ts";
import { joinSignals } from "../../../process/index.ts";
import type { SlashCommand } from "../slash-commands/command.ts";
import { createVerbCaller, executeCommand } from "../slash-commands/execute-command.ts";
import { findCommand } from "../slash-commands/find-command.ts";
import type { Ports } from "../../runtime/handle.ts";
import { PLAIN_PAINT } from "../../runtime/paint.ts";
import type { Screen, Span } from "../../runtime/screen.ts";
import type { ChatReports } from "./chat-reports.ts";
import { followTurn } from "./chat-reports.ts";
import type { ChatSession } from "./chat-session.ts";
import { completeLine } from "./complete-line.ts";
import { withMentions } from "./mentions.ts";
import { createResourceLister } from "./list-resources.ts";
import { plainLines } from "../../text/text-layout.ts";
import type { PromptHistory } from "./prompt-history.ts";
import { turnSummary } from "./turn-summary.ts";
import { TurnView } from "./turn-view.ts";
import { listWorkspaceFiles } from "./workspace-files.ts";

export interface ChatParts {
  readonly screen: Screen;
  readonly session: ChatSession;
  /** The slash commands available now. An MCP server that connects again may offer other prompts. */
  readonly commands: () => readonly SlashCommand[];
  readonly history: PromptHistory;
  readonly ports: Ports;
  readonly reports: ChatReports;
}

const PROMPT: Span = { text: "› ", styles: ["bold", "cyan"] };

/** A slash command is a slash and a name; a path that begins with a slash is none. */
const COMMAND = /^\/([a-z][\w-]*)(?:\s+([\s\S]*))?$/i;

function showError(screen: Screen, error: unknown): void {
  const message = error instanceof Error ? error.message : String(error);
  screen.write(...plainLines(message, ["red"], screen.columns()));
  if (error instanceof ClawError) screen.write(...plainLines(error.hint, ["dim"], screen.columns()));
}

function requireCommand(commands: readonly SlashCommand[], name: string): SlashCommand {
  const command = findCommand(commands, name);
  if (command !== undefined) return command;
  const known = commands.map((candidate) => candidate.name);
  const suggestions = nearest(name, known, { limit: LIMITS.suggestions }).map((found) => `/${found}`);
  throw new ClawError("UNKNOWN_SLASH_COMMAND", `There is no command /${name}.`, {
    operation: "resolve_command",
    target: `/${name}`,
    hint: suggestions.length === 0 ? "/help lists the commands." : `Did you mean ${suggestions.join(" or ")}?`,
  });
}

/** Runs work that Esc and Ctrl-C interrupt. Throws only when the whole call is aborted; shows every other error. */
async function interruptible(
  { screen, ports }: ChatParts,
  work: (signal: AbortSignal) => Promise<void>,
): Promise<void> {
  const interrupt = new AbortController();
  const stop = screen.watchInterrupt(() =>
    interrupt.abort(new ClawError("CANCELLED", "interrupted", { operation: "chat", target: "turn" })),
  );
  const joined = joinSignals({ signals: [ports.signal, interrupt.signal] });
  try {
    await work(joined.signal);
  } catch (error) {
    ports.signal.throwIfAborted();
    if (interrupt.signal.aborted) screen.write({ text: "Interrupted.\n", styles: ["yellow"] });
    else showError(screen, error);
  } finally {
    joined.release();
    stop();
  }
}

function runPrompt(parts: ChatParts, prompt: string): Promise<void> {
  const { screen, session, ports, reports } = parts;
  return interruptible(parts, async (signal) => {
    const startedAt = performance.now();
    const view = new TurnView(screen, () => session.agent().tools);
    const report = followTurn(reports);
    const show = (event: TurnEvent): void => {
      view.show(event);
      report.take(event);
    };
    try {
      const turn = await session.run(withMentions(prompt, ports.cwd, session.servers()), show, signal);
      view.end();
      if (turn.failure !== undefined) throw turn.failure;
      report.ended();
      screen.write(...turnSummary(turn, performance.now() - startedAt));
    } catch (error) {
      report.stopped();
      throw error;
    } finally {
      view.end();
    }
  });
}

function runCommand(parts: ChatParts, name: string, words: string): Promise<void> {
  const { screen, session, commands, ports } = parts;
  return interruptible(parts, async (signal) => {
    const known = commands();
    const command = requireCommand(known, name);
    const paint = { ...PLAIN_PAINT, columns: screen.columns() };
    const announce = (text: string): void => screen.write(...plainLines(text, ["dim"], screen.columns()));
    const own: Ports = { ...ports, live: null, terminal: null, openScreen: null, announce, signal };
    const context = { ports: own, session, commands: known, paint, dryRun: false, ...createVerbCaller(own, paint) };
    const { message } = await executeCommand(command, words, context, signal);
    screen.write(...plainLines(ports.redactor.redactText(message), [], screen.columns()));
  });
}

async function takeLine(parts: ChatParts, line: string): Promise<void> {
  const [, name, words = ""] = COMMAND.exec(line.trim()) ?? [];
  if (name === undefined) await runPrompt(parts, line);
  else await runCommand(parts, name, words);
  const submitted = parts.session.takeSubmitted();
  if (submitted !== undefined) await runPrompt(parts, submitted);
}

/**
 * Runs each typed line as a prompt or a slash command until the person leaves. Rejects only when the whole call is
 * aborted.
 */
export async function runChat(parts: ChatParts): Promise<void> {
  const { screen, session, commands, history, ports, reports } = parts;
  const files = (): Promise<readonly string[]> => listWorkspaceFiles(ports, ports.signal);
  const resources = createResourceLister(session, ports.signal);
  const complete = (text: string, cursor: number) =>
    completeLine(text, cursor, { commands: commands(), files, resources });
  const mission = await reports.ask("SessionStart", {}, ports.signal);
  if (mission !== "") {
    screen.write({ text: "\n" }, PROMPT, ...plainLines(mission, [], screen.columns()));
    await runPrompt(parts, mission);
  }
  while (!session.isOver()) {
    screen.write({ text: "\n" });
    const line = await screen.readLine({ prompt: PROMPT, history: history.entries(), complete }, ports.signal);
    if (line === null) return;
    if (line.trim() === "") continue;
    history.add(line);
    await takeLine(parts, line);
  }
}
