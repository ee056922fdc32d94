import type { AgentQuestion, AgentAnswer, JsonObject } from "claw-contract";
import { LIMITS, isObject, onAbort, parseJson } from "claw-contract";
import type { OpenProcess } from "../../process/index.ts";
import { createByteTail, openProcess, systemShell } from "../../process/index.ts";
import type { AgentDecision } from "./question-queue.ts";
import { LONGEST_MS } from "./watchdog.ts";

/** Bytes read of the answer of a permission program. */
const PERMISSION_ANSWER_BYTES = 1024 * 1024;

const isText = (value: unknown): value is string => typeof value === "string";

const isTexts = (value: unknown): boolean =>
  isObject(value) && Object.values(value).every((text) => isText(text) || (Array.isArray(text) && text.every(isText)));

/** What each member of an answer has to be. */
const MEMBERS: Readonly<Record<keyof AgentAnswer, (value: unknown) => boolean>> = {
  decision: (value) => value === "allow" || value === "deny",
  message: isText,
  input: isObject,
  answers: isTexts,
  content: isObject,
  interrupt: (value) => typeof value === "boolean",
};

/** Reads an answer. A returned string names the problem of the answer. Unknown members are left out. */
export function readCommandAnswer(text: string): AgentAnswer | string {
  const answer = parseJson(text);
  if (!isObject(answer)) return "is no JSON object";
  const known = Object.entries(MEMBERS).filter(([name]) => Object.hasOwn(answer, name));
  const wrong = known.find(([name, fits]) => !fits(answer[name]));
  if (wrong !== undefined) return `has a '${wrong[0]}' that is not what it should be`;
  if (!Object.hasOwn(answer, "decision")) return "has no 'decision'";
  return Object.fromEntries(known.map(([name]) => [name, answer[name]])) as JsonObject as AgentAnswer;
}

export interface PermissionCommand {
  /** For a shell. */
  readonly command: string;
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly timeoutMs: number;
}

/** A denial because the command did not answer. `stderr` is for the person who wrote the command, not for the agent. */
function denyWith(message: string, stderr = ""): AgentDecision {
  const [said, ...more] = stderr.trim().split("\n").slice(-STDERR_LINES);
  const tail = said === undefined || said === "" ? "" : `; its stderr ends: ${[said, ...more].join(" | ")}`;
  return { decision: "deny", message, problem: `${message}${tail}` };
}

const STDERR_BYTES = 2048;
const STDERR_LINES = 5;

async function readAll({ output }: OpenProcess): Promise<string | undefined> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of output) {
    chunks.push(chunk);
    size += chunk.length;
    if (size > PERMISSION_ANSWER_BYTES) return undefined;
  }
  return Buffer.concat(chunks).toString();
}

async function decisionOf(child: OpenProcess, question: AgentQuestion, stderr: () => string): Promise<AgentDecision> {
  void child.write(`${JSON.stringify(question)}\n`).then(() => child.closeInput());
  const text = await readAll(child);
  if (text === undefined) return denyWith("the permission command's answer is too long", stderr());
  const { exitCode, signal } = await child.exited;
  await child.stderrEnded;
  if (exitCode !== 0) return denyWith(`the permission command failed: ${signal ?? `exit ${exitCode}`}`, stderr());
  const answer = readCommandAnswer(text);
  return typeof answer === "string" ? denyWith(`the permission command's answer ${answer}`, stderr()) : answer;
}

/**
 * Asks a program: it gets the question as one line of JSON and answers with one JSON object. Whatever goes wrong is a
 * denial that says why: no answer in time, a failing exit, an answer that makes no sense. Never rejects.
 */
export async function askCommand(
  { command, cwd, env, timeoutMs }: PermissionCommand,
  question: AgentQuestion,
  signal: AbortSignal,
): Promise<AgentDecision> {
  if (signal.aborted) return { decision: "deny", message: "the agent no longer waits for an answer" };
  const tail = createByteTail(STDERR_BYTES);
  const ending = { politeMs: LIMITS.runPoliteMs, firmMs: LIMITS.runFirmMs };
  const rest = {
    input: true,
    aheadBytes: LIMITS.runAheadBytes,
    onStderr: (chunk: Uint8Array) => tail.push(chunk),
    ending,
  };
  let child: OpenProcess;
  try {
    child = await openProcess({ argv: systemShell.run(command), cwd, env, ...rest });
  } catch (error) {
    return denyWith(`the permission command did not start: ${(error as NodeJS.ErrnoException).code ?? "unknown"}`);
  }
  let timer: NodeJS.Timeout | undefined;
  let forget = (): void => undefined;
  const late = new Promise<AgentDecision>((resolve) => {
    const giveUp = (): void =>
      resolve(denyWith(`the permission command did not answer within ${timeoutMs / 1000} s`, tail.text()));
    timer = setTimeout(giveUp, Math.min(timeoutMs, LONGEST_MS));
    forget = onAbort(signal, giveUp);
  });
  try {
    return await Promise.race([decisionOf(child, question, () => tail.text()), late]);
  } finally {
    clearTimeout(timer);
    forget();
    await child.end();
  }
}
