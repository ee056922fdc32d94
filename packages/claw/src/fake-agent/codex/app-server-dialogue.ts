import type { JsonObject } from "claw-contract";
import { objectOf, textOf } from "claw-contract";
import { readObjects } from "../input-lines.ts";
import { Mailbox } from "../mailbox.ts";
import type { Output } from "../output.ts";
import type { PlayedAnswer } from "../voice.ts";
import { notify, threadAnswer, threadObject, turnObject } from "./app-server-lines.ts";
import { CODEX_VERSION } from "./codex-call.ts";
import type { CodexThread } from "./codex-thread.ts";

const ALLOWING = new Set(["accept", "acceptForSession"]);

/** What a result of the client says: a decision, or answers to questions. */
function answerOf(result: JsonObject): PlayedAnswer {
  const { decision } = result;
  const [first] = Object.values(objectOf(result["answers"])) as { readonly answers?: readonly string[] }[];
  if (first !== undefined) return { allowed: true, interrupt: false, text: first.answers?.[0] ?? "" };
  const amended = typeof decision === "object" && decision !== null;
  const allowed = amended || ALLOWING.has(String(decision));
  return { allowed, interrupt: decision === "cancel", text: amended ? "accept" : String(decision) };
}

function promptOf(params: JsonObject): string {
  const input = Array.isArray(params["input"]) ? (params["input"] as JsonObject[]) : [];
  return input.map((part) => textOf(part["text"])).join("\n");
}

/** JSON-RPC on stdin. */
export class AppServerDialogue {
  readonly #thread: CodexThread;
  readonly #output: Output;
  /** Input from stdin, for the player of the scenario. */
  readonly mail = new Mailbox();

  constructor(thread: CodexThread, output: Output) {
    this.#thread = thread;
    this.#output = output;
  }

  /** Reads until stdin is closed. Lines that are no JSON are skipped. */
  async listen(): Promise<void> {
    for await (const line of readObjects(this.#thread.stage.input)) {
      if (line !== undefined) await this.#take(line);
    }
    this.mail.close();
  }

  async #take(line: JsonObject): Promise<void> {
    const { method, id } = line;
    if (typeof method === "string") {
      if (id !== undefined) await this.#call(method, id, objectOf(line["params"]));
      return;
    }
    this.mail.addAnswer(String(id), answerOf(objectOf(line["result"])));
  }

  async #call(method: string, id: unknown, params: JsonObject): Promise<void> {
    const reply = (result: JsonObject): Promise<void> => this.#output.say([{ id, result }]);
    switch (method) {
      case "initialize": {
        return reply(this.#handshake(objectOf(params["clientInfo"])));
      }
      case "thread/start":
      case "thread/resume": {
        this.#adopt(params);
        await reply(threadAnswer(this.#thread));
        return this.#output.say([notify(this.#thread, "thread/started", { thread: threadObject(this.#thread) })]);
      }
      case "turn/start": {
        this.#thread.turnId = this.#thread.stage.uuid();
        const turn = { ...turnObject(this.#thread, { status: "inProgress" }), startedAt: null };
        await reply({ turn });
        return this.mail.addPrompt(promptOf(params));
      }
      case "turn/steer": {
        return reply({ turnId: this.#thread.turnId });
      }
      case "turn/interrupt": {
        await reply({});
        return this.mail.interrupt();
      }
      default: {
        const error = { code: -32_600, message: `Invalid request: unknown variant \`${method}\`` };
        return this.#output.say([{ error, id }]);
      }
    }
  }

  /** Applies the client's settings to the thread. */
  #adopt(params: JsonObject): void {
    this.#thread.id = textOf(params["threadId"]) || this.#thread.id;
    this.#thread.model = textOf(params["model"]) || this.#thread.model;
    this.#thread.cwd = textOf(params["cwd"]) || this.#thread.cwd;
    this.#thread.sandbox = textOf(params["sandbox"]) || this.#thread.sandbox;
    this.#thread.asks = params["approvalPolicy"] !== "never";
  }

  #handshake(client: JsonObject): JsonObject {
    return {
      userAgent: `${textOf(client["name"]) || "fake"}/${CODEX_VERSION} (fake)`,
      codexHome: this.#thread.cwd,
      platformFamily: "unix",
      platformOs: "linux",
    };
  }
}
