import { createLineFramer, LIMITS, objectOf, parseObject } from "claw-contract";
import type { JsonObject } from "claw-contract";
import type { Approve } from "../../../agent/index.ts";
import type { StandardInput } from "../../runtime/handle.ts";
import type { StreamLine } from "./stream-lines.ts";

/** Asks the program that runs this one, line by line on stdout and stdin, in the words of Claude Code. */
export interface StdioApproval {
  readonly approve: Approve;
  /** The text of the first user message on stdin; undefined when stdin ended without one. */
  firstPrompt(): Promise<string | undefined>;
  /** Reads no more. What is still asked counts as denied. */
  close(): void;
}

type Answer = Awaited<ReturnType<Approve>>;

const NO_ANSWER: Answer = { allow: false, reason: "there is no person to ask" };

function answerIn(response: JsonObject): Answer {
  const { behavior, message } = objectOf(response["response"]);
  if (response["subtype"] === "success" && behavior === "allow") return { allow: true };
  return { allow: false, reason: typeof message === "string" && message !== "" ? message : "denied" };
}

/** The text of a user message, whose content may be one text or blocks. */
function textIn(frame: JsonObject): string {
  const { content } = objectOf(frame["message"]);
  if (typeof content === "string") return content;
  const blocks = Array.isArray(content) ? content.map(objectOf) : [];
  return blocks.map(({ text }) => (typeof text === "string" ? text : "")).join("\n");
}

/** Requests that wait for their answer, and the first prompt. */
class Exchange {
  readonly #say: (line: StreamLine) => void;
  readonly #open = new Map<string, (answer: Answer) => void>();
  readonly #prompt: Promise<string | undefined>;
  #takePrompt: (text: string | undefined) => void = () => undefined;
  #asked = 0;
  #isOver = false;

  constructor(say: (line: StreamLine) => void) {
    this.#say = say;
    this.#prompt = new Promise((resolve) => (this.#takePrompt = resolve));
  }

  readonly approve: Approve = ({ tool, toolUseId, input, reason, preview }, signal) => {
    if (this.#isOver) return Promise.resolve(NO_ANSWER);
    const id = `claw-${(this.#asked += 1)}`;
    return new Promise<Answer>((resolve, reject) => {
      const withdraw = (): void => {
        if (this.#open.delete(id)) this.#say({ type: "control_cancel_request", request_id: id });
        reject(signal.reason as Error);
      };
      this.#open.set(id, (answer) => {
        signal.removeEventListener("abort", withdraw);
        resolve(answer);
      });
      signal.addEventListener("abort", withdraw, { once: true });
      const what = { tool_name: tool, tool_use_id: toolUseId, input: input as JsonObject };
      const why = { decision_reason: reason, ...(preview === null ? {} : { diff: preview.diff }) };
      this.#say({ type: "control_request", request_id: id, request: { subtype: "can_use_tool", ...what, ...why } });
    });
  };

  prompt(): Promise<string | undefined> {
    return this.#prompt;
  }

  hear(frame: JsonObject): void {
    if (frame["type"] === "user") return this.#takePrompt(textIn(frame));
    if (frame["type"] === "control_response") {
      const response = objectOf(frame["response"]);
      return this.#settle(String(response["request_id"]), answerIn(response));
    }
    if (frame["type"] !== "control_request") return undefined;
    const isKnown = objectOf(frame["request"])["subtype"] === "initialize";
    const head = { request_id: frame["request_id"] ?? null };
    const response = isKnown
      ? { subtype: "success", ...head, response: {} }
      : { subtype: "error", ...head, error: "claw does not answer requests of this kind" };
    return this.#say({ type: "control_response", response });
  }

  end(): void {
    this.#isOver = true;
    this.#takePrompt(undefined);
    for (const id of this.#open.keys()) this.#settle(id, NO_ANSWER);
  }

  #settle(id: string, answer: Answer): void {
    this.#open.get(id)?.(answer);
    this.#open.delete(id);
  }
}

/** Starts to read stdin. Lines that are no JSON objects, or too long, are passed over. */
export function openStdioApproval(stdin: StandardInput, say: (line: StreamLine) => void): StdioApproval {
  const exchange = new Exchange(say);
  const framer = createLineFramer({ maxLineBytes: LIMITS.runLineBytes });
  const chunks = stdin.chunks()[Symbol.asyncIterator]();
  const read = async (): Promise<void> => {
    for (;;) {
      const { done, value } = await chunks.next();
      if (done === true) return;
      for (const line of framer.push(value)) {
        const frame = line.kind === "line" ? parseObject(Buffer.from(line.bytes).toString()) : undefined;
        if (frame !== undefined) exchange.hear(frame);
      }
    }
  };
  // A stdin that cannot be read has ended.
  const ended = read().then(
    () => exchange.end(),
    () => exchange.end(),
  );
  return {
    approve: exchange.approve,
    firstPrompt: () => exchange.prompt(),
    close: () => {
      exchange.end();
      void ended;
      void chunks.return?.();
    },
  };
}
