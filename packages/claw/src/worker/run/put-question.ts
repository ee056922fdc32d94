import { randomUUID } from "node:crypto";
import type { Answer } from "claw-client";
import type { AgentAnswer, AgentQuestion, JsonObject } from "claw-contract";
import { LIMITS, objectOf, oneLine, textOf } from "claw-contract";
import type { Decide } from "../../harness/index.ts";
import type { LifeParts } from "../worker-life.ts";
import { tell } from "../worker-life.ts";

const MESSAGE_CHARS = 500;

/** The removed and added lines of an edit; undefined when the input is no edit. */
function diffOf(input: JsonObject): string | undefined {
  const { old_string: before, new_string: after, content, diff } = input;
  if (typeof diff === "string") return diff.slice(0, LIMITS.workerDiffChars);
  const lines = (sign: string, text: unknown): string =>
    typeof text === "string" && text !== ""
      ? text
          .split("\n")
          .map((line) => `${sign}${line}`)
          .join("\n")
      : "";
  const parts = [lines("-", before), lines("+", after ?? content)].filter((part) => part !== "");
  return parts.length === 0 ? undefined : parts.join("\n").slice(0, LIMITS.workerDiffChars);
}

function headline({ tool, input, about, reason }: AgentQuestion): string {
  const { command, file_path: path, files, questions } = objectOf(input);
  const [first] = Array.isArray(questions) ? questions : [];
  const asked = textOf(objectOf(first)["question"]);
  if (about !== "permission") return (asked || reason || `${tool} asks`).slice(0, MESSAGE_CHARS);
  const changed = Array.isArray(files) ? files.join(", ") : "";
  const detail = (Array.isArray(command) ? command.join(" ") : textOf(command)) || textOf(path) || changed || reason;
  return (detail === "" ? tool : `${tool}: ${detail}`).slice(0, MESSAGE_CHARS);
}

/** Why the agent asks, in one line. Where the agent's reason only names a tool or a file, the question itself. */
function questionReason(question: AgentQuestion): string {
  const asked = headline(question);
  const isMore = question.about !== "permission" || !asked.includes(question.reason);
  const text = isMore ? question.reason : asked;
  return oneLine(text).slice(0, MESSAGE_CHARS);
}

/** The exact subject of a question. */
export function subjectOf(question: AgentQuestion): JsonObject {
  const { tool, input, cwd } = question;
  const reason = questionReason(question);
  const fields = objectOf(input);
  const { command, argv, files } = fields;
  const diff = diffOf(fields);
  return {
    tool,
    ...(typeof command === "string" ? { command } : Array.isArray(command) ? { argv: command } : {}),
    ...(Array.isArray(argv) ? { argv } : {}),
    ...(Array.isArray(files) ? { files } : {}),
    input,
    ...(diff === undefined ? {} : { diff }),
    cwd: textOf(fields["cwd"]) || cwd,
    ...(reason === "" ? {} : { reason }),
  };
}

/** The options of the first question, which is nearly always the only question. */
function optionsOf({ input }: AgentQuestion): { id: string; label: string }[] {
  const { questions } = objectOf(input);
  const [first] = Array.isArray(questions) ? questions : [];
  const { options } = objectOf(first);
  return (Array.isArray(options) ? options : []).flatMap((option) => {
    const { label, description } = objectOf(option);
    const id = textOf(label);
    return id === "" ? [] : [{ id, label: textOf(description) || id }];
  });
}

/** The chosen option, found in any of the fields where an orchestrator may put it. */
function chosenIn({ payload, command }: Answer): string {
  const fields = objectOf(payload);
  const named = [fields["chosen"], fields["option"], fields["answer"], fields["text"], command.data["chosen"], payload];
  return named.map(textOf).find((text) => text !== "") ?? "";
}

function readAnswers({ input }: AgentQuestion, answer: Answer): NonNullable<AgentAnswer["answers"]> {
  const { answers } = objectOf(answer.payload);
  if (typeof answers === "object" && answers !== null) return answers as NonNullable<AgentAnswer["answers"]>;
  const { questions } = objectOf(input);
  const chosen = chosenIn(answer);
  const asked = (Array.isArray(questions) ? questions : []).map((question) => textOf(objectOf(question)["question"]));
  return Object.fromEntries(asked.filter((text) => text !== "" && chosen !== "").map((text) => [text, chosen]));
}

/** Translates an orchestrator's answer for the agent. */
export function agentAnswer(question: AgentQuestion, answer: Answer): AgentAnswer {
  if (!answer.approved) return { decision: "deny", ...(answer.reason === undefined ? {} : { message: answer.reason }) };
  const { input, content } = objectOf(answer.payload);
  if (question.about === "elicitation") return { decision: "allow", content: objectOf(content ?? answer.payload) };
  if (question.about === "question") return { decision: "allow", answers: readAnswers(question, answer) };
  return { decision: "allow", ...(typeof input === "object" && input !== null ? { input: objectOf(input) } : {}) };
}

/** Withdraws a question that needs no answer any more: it was answered elsewhere, or the asking agent is gone. */
function withdraw(life: LifeParts, requestId: string): void {
  const fields = { request_id: requestId, data: { withdrawn: true } };
  tell(life, "withdrawal", life.worker.event("LOG", "the question was settled without an answer", fields));
}

/** Asks the orchestrator a question. Rejects when asking fails. A question whose signal is aborted is withdrawn. */
export async function putQuestion(
  life: LifeParts,
  question: AgentQuestion,
  source: "stream" | "hook",
  signal: AbortSignal,
): Promise<Answer> {
  const { worker, redactor } = life;
  const requestId = randomUUID();
  const message = redactor.redactText(headline(question));
  const options = optionsOf(question);
  tell(life, "signal needs_input", worker.signal("needs_input", { source, detail: message }));
  try {
    const answer = await worker.ask({
      message,
      request_id: requestId,
      request_type: question.about,
      ...(options.length === 0 ? {} : { options }),
      data: redactor.redactValue(subjectOf(question)),
      signal,
    });
    const evidence = { kind: "sequence", value: answer.command.sequence } as const;
    tell(life, "step", worker.step(answer.command, { step: "acked", evidence }));
    tell(life, "step", worker.step(answer.command, { step: "applied", evidence }));
    return answer;
  } catch (error) {
    if (signal.aborted) withdraw(life, requestId);
    throw error;
  }
}

/** Passes an agent's questions to the orchestrator. A failure rejects, which denies the agent's request. */
export function createDecider(life: LifeParts): Decide {
  return async (question, signal) => {
    const answer = await putQuestion(life, question, "stream", signal);
    const text = (answer.approved ? chosenIn(answer) : (answer.reason ?? "")).slice(0, MESSAGE_CHARS);
    life.transcript.mark({ subtype: "answered", approved: answer.approved, text, from: answer.command.from });
    return agentAnswer(question, answer);
  };
}
