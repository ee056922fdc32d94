import type { IncomingMessage, Server, ServerResponse } from "node:http";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";
import type { JsonObject } from "claw-contract";
import type { Conversation } from "./conversation.ts";
import { attemptOf, fillIn, turnsFor } from "./conversation.ts";
import { deliver } from "./deliver.ts";
import type { AskedDialect } from "./dialect.ts";
import { dialectFor } from "./dialect.ts";
import type { Answer, ModelScenario } from "./model-scenario.ts";

/** A request as it came, and what it was taken for. */
export interface SeenRequest {
  readonly scenario: string;
  readonly run: string;
  readonly path: string;
  readonly turn: number;
  readonly attempt: number;
  readonly stream: boolean;
  readonly headers: IncomingMessage["headers"];
  readonly body: JsonObject;
}

/** An answer that was sent to its end. */
export interface SentAnswer {
  readonly run: string;
  /** Which of the run's requests it answers, from 0. */
  readonly request: number;
  readonly model: string;
  readonly answer: Answer;
}

export interface ModelServer {
  /** What a client is given as its base URL. The run is any text; by custom the folder the client works in. */
  baseUrl(scenario: string, run: string): string;
  /** What a run has asked for, in order. */
  requests(run: string): readonly SeenRequest[];
  /** Answers that a run was sent to their end, in order. */
  answers(run: string): readonly SentAnswer[];
  /** Hangs up on everybody. Resolves when the port is free. */
  close(): Promise<void>;
}

export interface ModelServerOptions {
  readonly scenarios: Readonly<Record<string, ModelScenario>>;
  /** How a dripping answer passes time. */
  readonly wait?: (ms: number) => Promise<void>;
  /** Changes what the model is given of a request; nothing by default. What `requests` shows stays as it came. */
  readonly tamper?: (conversation: Conversation) => Conversation;
}

interface Address {
  readonly scenario: string;
  readonly run: string;
  readonly rest: string;
}

function readAddress(url: string): Address | undefined {
  const [, scenario, run, rest] = /^\/s\/([^/]+)\/([^/]*)(\/[^?]*)/.exec(url) ?? [];
  if (scenario === undefined || run === undefined || rest === undefined) return undefined;
  return { scenario: decodeURIComponent(scenario), run: Buffer.from(run, "base64url").toString(), rest };
}

function readBody(body: string): JsonObject {
  try {
    return JSON.parse(body) as JsonObject;
  } catch {
    return {};
  }
}

const refuse = (response: ServerResponse, status: number, message: string): void =>
  void response
    .writeHead(status, { "content-type": "application/json" })
    .end(JSON.stringify({ type: "error", error: { type: "not_found_error", message } }));

class Scripts {
  readonly #options: ModelServerOptions;
  readonly #seen: SeenRequest[] = [];
  readonly #answers: SentAnswer[] = [];
  readonly #attempts = new Map<string, number>();

  constructor(options: ModelServerOptions) {
    this.#options = options;
  }

  of(run: string): readonly SeenRequest[] {
    return this.#seen.filter((request) => request.run === run);
  }

  answersOf(run: string): readonly SentAnswer[] {
    return this.#answers.filter((each) => each.run === run);
  }

  async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const address = readAddress(request.url ?? "");
    const scenario = address && this.#options.scenarios[address.scenario];
    if (address === undefined || scenario === undefined) return refuse(response, 404, `no scenario: ${request.url}`);
    const asked = dialectFor(address.rest);
    if (asked === undefined || request.method !== "POST") {
      return refuse(response, 404, `no such API: ${address.rest}`);
    }
    const body = readBody(await text(request));
    await this.#play({ address, scenario, asked, body }, request, response);
  }

  async #play(
    call: { address: Address; scenario: ModelScenario; asked: AskedDialect; body: JsonObject },
    { headers }: IncomingMessage,
    response: ServerResponse,
  ): Promise<void> {
    const { address, scenario, asked, body } = call;
    const { dialect, model = String(body["model"]) } = asked;
    const read = dialect.read(body);
    const conversation = this.#options.tamper?.(read) ?? read;
    const { turn, output } = conversation;
    const { turns, name: strand } = turnsFor(scenario, conversation.prompts);
    const key = JSON.stringify([address, strand, turn]);
    const attempt = this.#attempts.get(key) ?? 0;
    this.#attempts.set(key, attempt + 1);
    const stream = asked.stream ?? body["stream"] === true;
    const { scenario: name, run, rest: path } = address;
    this.#seen.push({ scenario: name, run, path, turn, attempt, stream, headers, body });
    const request = this.of(run).length - 1;
    const said = fillIn(attemptOf(turns, conversation, attempt), { run, output });
    await deliver(response, said, {
      dialect,
      request: {
        number: this.#seen.length,
        model,
        includeUsage: (body["stream_options"] as JsonObject | undefined)?.["include_usage"] === true,
      },
      stream,
      wait: this.#options.wait ?? sleep,
    });
    const isWhole = said.kind === "answer" && said.breaks === undefined && !response.destroyed;
    if (isWhole) this.#answers.push({ run, request, model, answer: said });
  }
}

const listen = (server: Server): Promise<void> =>
  new Promise((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });

/** Starts a server on a free port of the loopback that says what its scenarios say. */
export async function startModelServer(options: ModelServerOptions): Promise<ModelServer> {
  const scripts = new Scripts(options);
  const server = createServer((request, response) => {
    // A client that left takes nothing more; nobody is to be told.
    response.on("error", () => response.destroy());
    scripts.answer(request, response).catch(() => response.destroy());
  });
  server.requestTimeout = 0;
  await listen(server);
  const { port } = server.address() as AddressInfo;
  return {
    baseUrl: (scenario, run) =>
      `http://127.0.0.1:${port}/s/${encodeURIComponent(scenario)}/${Buffer.from(run).toString("base64url")}`,
    requests: (run) => scripts.of(run),
    answers: (run) => scripts.answersOf(run),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
