import { randomUUID } from "node:crypto";
import type { VerbInput, VerbOutput } from "claw-contract";
import { ClawError } from "claw-contract";
import type { Agent, TurnEvent } from "../../../agent/index.ts";
import type { OpenTurn } from "../../../sessions/index.ts";
import type { Ports, VerbStream } from "../../runtime/handle.ts";
import { passesOn } from "../../runs/run-answer.ts";
import { readPromptAndContext, readPromptText } from "../read-prompt.ts";
import type { ItemQueue } from "./item-queue.ts";
import { createItemQueue } from "./item-queue.ts";
import { openWorkAgent } from "./open-work-agent.ts";
import { compactAnswer, promptAnswer, promptPreview } from "./prompt-answer.ts";
import { foreignSession, resumedSession } from "./resumed-session.ts";
import { createPartialLines } from "./partial-lines.ts";
import type { SessionTurn } from "./run-in-session.ts";
import { runInSession } from "./run-in-session.ts";
import type { StreamLine } from "./stream-lines.ts";
import { initLine, streamLines } from "./stream-lines.ts";
import { showActivity } from "./show-activity.ts";
import type { StdioApproval } from "./stdio-approval.ts";
import { openStdioApproval } from "./stdio-approval.ts";

type Input = VerbInput<"prompt">;
type Output = VerbOutput<"prompt">;

/** `--fork` needs a session to copy. Throws INVALID_FLAG_VALUE without one. */
function requireSource({ fork }: Input, ref: string | undefined): void {
  if (!fork || ref !== undefined) return;
  throw new ClawError("INVALID_FLAG_VALUE", "--fork needs a session to copy", {
    operation: "parse_arguments",
    target: "--fork",
    hint: "Add --continue, or --resume with the id of a session.",
  });
}

async function openPromptTurn(input: Input, ref: string | undefined, agent: Agent, ports: Ports): Promise<OpenTurn> {
  const { sessions, signal } = ports;
  const { model } = agent;
  if (ref === undefined) return sessions.openTurn(undefined, { model }, signal);
  const entry = sessions.findToResume(ref);
  if (!sessions.isOwn(entry)) ports.notes.warn(foreignSession(entry.id));
  if (input.fork) return sessions.openTurn(undefined, { model, fork: entry }, signal);
  return sessions.openTurn(entry.id, { model }, signal);
}

/** Returns the answer, or throws the error that carries the answer. */
function promptOutput(turn: SessionTurn, output: Output, { signal }: Ports): Output {
  const { failure } = turn;
  if (failure === undefined) return output;
  if (signal.aborted && !(signal.reason instanceof ClawError)) throw failure;
  if (!(failure instanceof ClawError)) throw failure;
  throw new ClawError(failure.code, failure.message, { ...failure.options, partial: output });
}

const NO_PARTS = { before: [], after: [] };

interface Request {
  readonly text: string;
  /** Whether messages are printed while the model writes them. */
  readonly isPartial: boolean;
  /** Queue of the lines to print. The turn adds lines, and so does the dialogue about permissions. */
  readonly lines: ItemQueue<StreamLine>;
}

/** Flags that only a stream of lines can honour. Throws for the first one that is given without such a stream. */
function requireStream({ permissionPromptTool, inputFormat, includePartialMessages }: Input, ports: Ports): void {
  const flags = [
    ...(permissionPromptTool === undefined ? [] : ["--permission-prompt-tool"]),
    ...(inputFormat === "text" ? [] : ["--input-format"]),
    ...(includePartialMessages ? ["--include-partial-messages"] : []),
  ];
  const [flag] = flags;
  if (flag === undefined || passesOn(ports)) return;
  throw new ClawError("INVALID_FLAG_VALUE", `${flag} needs the output format stream-json`, {
    operation: "parse_arguments",
    target: flag,
    hint: "Add --output-format stream-json.",
  });
}

/** Opens the dialogue with the program that runs claw, if the flags ask for the dialogue. */
function openApproval(input: Input, lines: ItemQueue<StreamLine>, ports: Ports): StdioApproval | undefined {
  if (input.permissionPromptTool === undefined && input.inputFormat === "text") return undefined;
  return openStdioApproval(ports.stdin, (line) => lines.push(line));
}

/** The prompt of the line, or the first message of the program that answers for permissions. */
async function promptText(input: Input, approval: StdioApproval | undefined, ports: Ports): Promise<string> {
  if (approval === undefined) return readPromptAndContext(input.prompt, ports);
  if (input.prompt !== undefined) return readPromptText(input.prompt, ports);
  ports.signal.addEventListener("abort", () => approval.close(), { once: true });
  const prompt = await approval.firstPrompt();
  ports.signal.throwIfAborted();
  return readPromptText(prompt ?? "", ports);
}

/** Runs the turn, and yields the lines of `stream-json` while the turn goes on. */
async function* runTurnOf(
  agent: Agent,
  open: OpenTurn,
  { text, lines, isPartial }: Request,
  ports: Ports,
): AsyncGenerator<StreamLine, SessionTurn> {
  const identity = { sessionId: open.sessionId, model: agent.model };
  const { mode: permissionMode, apiKeySource } = agent;
  const tools = agent.tools.map(({ name }) => name);
  const activity = showActivity(ports);
  if (passesOn(ports)) {
    yield initLine({ ...identity, cwd: ports.cwd, tools, permissionMode, apiKeySource, version: ports.toolVersion });
  }
  const partial = isPartial ? createPartialLines(identity) : undefined;
  const emit = (event: TurnEvent): void => {
    activity.show(event);
    if (!passesOn(ports)) return;
    const { before, after } = partial?.take(event) ?? NO_PARTS;
    lines.push(...before, ...streamLines(event, identity), ...after);
  };
  const running = runInSession(agent, open, text, { emit, signal: ports.signal }).finally(() => {
    lines.push(...(partial?.end() ?? []));
    lines.end();
  });
  try {
    yield* lines;
    return await running;
  } finally {
    activity.end();
  }
}

interface Turn extends Request {
  readonly agent: Agent;
  /** Session to go on with. */
  readonly ref: string | undefined;
  readonly startedAt: number;
}

/** A prompt of an MCP server is called as in a chat session: a slash, the name, the arguments. */
const ORDER = /^\/(mcp__[\w-]+)(?:\s+([^]*))?$/;

function unknownPrompt(name: string, known: Agent["prompts"]): ClawError {
  const list = known.map((prompt) => `/${prompt.name}`).join(", ");
  return new ClawError("COMMAND_NOT_FOUND", `no MCP server has the prompt '/${name}'`, {
    operation: "find_mcp_prompt",
    target: name,
    hint: list === "" ? "No MCP server here offers prompts." : `Known prompts: ${list}.`,
  });
}

/**
 * The text to work on. A called prompt of an MCP server is replaced by the server's text; other text stays unchanged.
 */
async function expandPrompt(text: string, agent: Agent, { signal }: Ports): Promise<string> {
  const [, name, words = ""] = ORDER.exec(text.trim()) ?? [];
  if (name === undefined) return text;
  const prompt = agent.prompts.find((known) => known.name === name);
  if (prompt === undefined) throw unknownPrompt(name, agent.prompts);
  const made = await prompt.get(words.trim(), signal);
  if (made.trim() !== "") return made;
  throw new ClawError("MISSING_PROMPT", `The server ${prompt.server} gave an empty prompt`, {
    operation: "get_mcp_prompt",
    target: name,
  });
}

/** Runs one turn in its session and answers. Closes the agent. */
async function* turnOf(input: Input, { agent, ref, startedAt, ...request }: Turn, ports: Ports): VerbStream<"prompt"> {
  const runId = `run_${randomUUID()}`;
  try {
    if (input.dryRun) return promptPreview(agent, ports, runId);
    const open = await openPromptTurn(input, ref, agent, ports);
    try {
      const turn = yield* runTurnOf(
        agent,
        open,
        { ...request, text: await expandPrompt(request.text, agent, ports) },
        ports,
      );
      const facts = { agent, open, turn, runId, durationMs: performance.now() - startedAt };
      const output = input.compact ? compactAnswer(facts) : promptAnswer(facts, passesOn(ports));
      return promptOutput(turn, output, ports);
    } finally {
      open.close();
    }
  } finally {
    await agent.close();
  }
}

/** The verb `prompt`. */
export async function* runPrompt(input: Input, ports: Ports): VerbStream<"prompt"> {
  const startedAt = performance.now();
  const ref = resumedSession(input);
  requireSource(input, ref);
  requireStream(input, ports);
  const lines = createItemQueue<StreamLine>();
  const approval = openApproval(input, lines, ports);
  try {
    const text = await promptText(input, approval, ports);
    const agent = await openWorkAgent(
      input,
      ports,
      input.permissionPromptTool === undefined ? undefined : approval?.approve,
    );
    const isPartial = input.includePartialMessages;
    return yield* turnOf(input, { agent, ref, startedAt, text, lines, isPartial }, ports);
  } finally {
    approval?.close();
  }
}
