import type { VerbInput, VerbOutput } from "claw-contract";
import type { Agent, AnyTool } from "../../../agent/index.ts";
import { createPermissionAsker } from "./ask-permission.ts";
import type { ChatReports } from "./chat-reports.ts";
import { askEverywhere, openChatReports } from "./chat-reports.ts";
import type { Resumed } from "./chat-session.ts";
import { ChatSession } from "./chat-session.ts";
import { MarkdownStream } from "./markdown-stream.ts";
import { plainLines, plural } from "../../text/text-layout.ts";
import { openPromptHistory } from "./prompt-history.ts";
import { runChat } from "./run-chat.ts";
import { WordWrap } from "../../text/word-wrap.ts";
import type { SlashCommand } from "../slash-commands/command.ts";
import { promptCommand } from "../slash-commands/prompt-command.ts";
import type { Ports } from "../../runtime/handle.ts";
import { listCommands } from "../slash-commands/list-commands.ts";
import { createNoteTaker } from "../../runtime/note-taker.ts";
import type { Screen } from "../../runtime/screen.ts";
import type { AgentWishes } from "../turns/open-work-agent.ts";
import { openWorkAgent } from "../turns/open-work-agent.ts";
import { foreignSession, resumedSession } from "../turns/resumed-session.ts";
import { estimatedCost } from "../turns/prompt-answer.ts";

type Input = VerbInput<"chat">;
type Output = VerbOutput<"chat">;

const chatOutput = (session: ChatSession, startedAt: number): Output => {
  const { usage, costUsd } = session.cost();
  return {
    session_id: session.isStored() ? session.id() : null,
    model: session.model(),
    turns: session.turns(),
    usage,
    estimated_cost: estimatedCost(costUsd),
    cost_usd: costUsd,
    duration_ms: Math.round(performance.now() - startedAt),
    effect: session.turns() > 0 ? "updated" : "noop",
  };
};

/** Shows the version, model, permission mode and folder before the first prompt. */
function greet(screen: Screen, session: ChatSession, { toolVersion, cwd }: Ports): void {
  screen.write(
    { text: `claw ${toolVersion}`, styles: ["bold"] },
    { text: ` · ${session.model()} · ${session.permissionMode()} · ${cwd}\n`, styles: ["dim"] },
    { text: "/help lists commands, @ names a file, Esc interrupts, Ctrl-D leaves.\n", styles: ["dim"] },
  );
}

/** Shows the last prompt and the last answer of a resumed session. */
function showResumed(screen: Screen, id: string, { messages, isOwn, prompt, answer: said }: Resumed): void {
  const markdown = new MarkdownStream();
  const wrap = new WordWrap(() => screen.columns());
  const asked = prompt.trim() === "" ? [] : plainLines(`› ${prompt}`, ["dim"], screen.columns());
  if (!isOwn) screen.write(...plainLines(foreignSession(id), ["yellow"], screen.columns()));
  screen.write({ text: `Going on with ${id}, ${plural(messages, "message")}.\n\n`, styles: ["dim"] }, ...asked);
  screen.write(...wrap.push([...markdown.push(`${said.trimEnd()}\n`), ...markdown.end()]), ...wrap.end());
}

interface Given {
  /** Holds the session once the session is open. */
  readonly opened: ChatSession[];
  readonly reports: ChatReports;
}

async function openChatSession(input: Input, ports: Ports, screen: Screen, given: Given): Promise<ChatSession> {
  const ref = resumedSession(input);
  const { opened, reports } = given;
  const tools = (): readonly AnyTool[] => opened[0]?.agent().tools ?? [];
  const approve = askEverywhere(createPermissionAsker(screen, tools, ports.redactor), reports);
  const shown = new Set<string>();
  const openAgent = async (wishes: AgentWishes): Promise<Agent> => {
    // Warnings about an agent are shown at once, not when the session is over.
    const notes = createNoteTaker();
    const agent = await openWorkAgent(wishes, { ...ports, notes }, approve);
    const { warnings } = notes.notes();
    for (const warning of warnings.filter((text) => !shown.has(text))) {
      shown.add(warning);
      screen.write(...plainLines(ports.redactor.redactText(warning), ["yellow"], screen.columns()));
    }
    return agent;
  };
  const session = await ChatSession.open({ ports, wishes: input, openAgent });
  opened.push(session);
  greet(screen, session, ports);
  if (ref === undefined) return session;
  try {
    const found = await session.resume(ref, ports.signal);
    showResumed(screen, session.id(), found);
    return session;
  } catch (error) {
    await session.close();
    throw error;
  }
}

async function converse(input: Input, ports: Ports, screen: Screen): Promise<Output> {
  const startedAt = performance.now();
  const opened: ChatSession[] = [];
  const reports = openChatReports(ports.env, () => opened[0]?.id() ?? "");
  const session = await openChatSession(input, ports, screen, { opened, reports });
  try {
    if (input.dryRun) return { ...chatOutput(session, startedAt), effect: "would_update", would_affect: [ports.cwd] };
    const history = openPromptHistory(ports);
    const builtIn = await listCommands(ports);
    const commands = (): readonly SlashCommand[] => [...builtIn, ...session.agent().prompts.map(promptCommand)];
    const parts = { screen, session, commands, history, ports, reports };
    await runChat(parts);
    return chatOutput(session, startedAt);
  } finally {
    await reports.flush();
    await session.close();
  }
}

/** The verb `chat` on a terminal, which `open` takes over. */
export async function holdChat(input: Input, ports: Ports, open: () => Promise<Screen>): Promise<Output> {
  const screen = await open();
  try {
    return await converse(input, ports, screen);
  } finally {
    screen.close();
    // The terminal is gone, and no person reads an answer. Ending by SIGHUP, as the system would, keeps Node off the
    // closed terminal.
    if (screen.isGone()) ports.stage.leave({ signal: "SIGHUP" });
  }
}
