import type { ClawError, JsonObject, Notes, Outcome, Redactor, VerbName } from "claw-contract";
import { errorRow, exitCodeFor, respond } from "claw-contract";
import type { Paint } from "../../verbs/index.ts";
import { foldLines, printable, printableText, showVerb, VERB_SPECS } from "../../verbs/index.ts";
import type { AnswerChannel } from "../channel.ts";
import { revealing, shownSecrets } from "./reveal.ts";

/** What goes where, and how the process ends. */
export interface Rendering {
  readonly stdout: string;
  readonly stderr: string;
  readonly exitCode: number;
}

export interface RenderOptions {
  readonly channel: AnswerChannel;
  readonly redactor: Redactor;
  /** The verb whose data is rendered; undefined when no verb ran. */
  readonly verb: VerbName | undefined;
  readonly quiet: boolean;
  readonly verbose: boolean;
  readonly noColor: boolean;
  readonly env: NodeJS.ProcessEnv;
}

function errorText(failure: ClawError, verbose: boolean, paint: Paint): string {
  const trace = failure.cause instanceof Error ? (failure.cause.stack ?? "") : (failure.stack ?? "");
  return [
    `${paint.red("error")}[${errorRow(failure.code).kind}]: ${printableText(failure.message)}`,
    `${paint.dim("next:")} ${printableText(failure.hint)}`,
    ...(verbose
      ? [
          paint.dim(printableText(`${failure.code} in ${failure.operation} ${failure.target}`)),
          paint.dim(printableText(trace)),
        ]
      : []),
    "",
  ].join("\n");
}

/** The warnings beside an answer. */
function besidesText({ warnings }: Notes, paint: Paint): string {
  return warnings.map((text) => `${paint.yellow("warning")}: ${printableText(text)}\n`).join("");
}

/** Verbs that answer with the program's own words alone, so that no secret can stand among them. Serves the row `claw help`. */
const OWN_WORDS: ReadonlySet<VerbName> = new Set(["help"]);
const UNMASKED: Pick<Redactor, "redactText" | "redactValue"> = {
  redactText: (text) => text,
  redactValue: (value) => value,
};

async function renderText(outcome: Outcome, options: RenderOptions): Promise<Rendering> {
  const { result, notes } = outcome;
  const { redactText } = options.redactor;
  // Loaded late: asking a terminal about colours costs time that JSON need not spend.
  const { createPaint } = await import("./paint.ts");
  const paint = createPaint(2, options);
  const showPaint = createPaint(1, options);
  const exitCode = exitCodeFor(result, options.channel.envelope, "text");
  const warnings = options.quiet ? "" : besidesText(notes, paint);
  if (result.kind === "failure") {
    const shown = await partialText(result.failure.options.partial, options.verb, showPaint);
    return {
      stdout: foldLines(redactText(shown), showPaint.columns),
      stderr: foldLines(redactText(warnings + errorText(result.failure, options.verbose, paint)), paint.columns),
      exitCode,
    };
  }
  if (result.kind === "not-modified" || options.verb === undefined) {
    return { stdout: "", stderr: foldLines(redactText(warnings), paint.columns), exitCode };
  }
  const masks = OWN_WORDS.has(options.verb) ? UNMASKED : options.redactor;
  const text = await showVerb(options.verb, printable(masks.redactValue(result.data)), showPaint);
  const more = notes.cursor === undefined || options.quiet ? "" : `More: add --cursor ${notes.cursor}\n`;
  return {
    stdout: text === "" ? "" : foldLines(masks.redactText(`${text}\n`), showPaint.columns),
    stderr: foldLines(redactText(warnings), paint.columns) + more,
    exitCode,
  };
}

/** Verbs whose failure still has an answer that people want to see. */
const SHOWS_PARTIAL: ReadonlySet<VerbName> = new Set(["doctor", "exec-tool", "fleet", "run", "terminal exec"]);

/** A failure with a partial answer shows that answer when the verb supports it. */
async function partialText(partial: JsonObject | undefined, verb: VerbName | undefined, paint: Paint): Promise<string> {
  if (partial === undefined || verb === undefined || !SHOWS_PARTIAL.has(verb)) return "";
  const text = await showVerb(verb, printable(partial), paint);
  return text === "" ? "" : `${text}\n`;
}

/** The last line of a stream: the answer, marked with type `result`. Readers of streams expect a text in `result`. */
function resultLine(body: JsonObject, exitCode: number, { result }: Outcome): JsonObject {
  const isError = exitCode !== 0;
  const status = result.kind === "failure" ? result.failure.options.details?.["status"] : undefined;
  return {
    ...body,
    ...(result.kind === "failure" && !("result" in body) ? { result: result.failure.message } : {}),
    ...(typeof status === "number" ? { api_error_status: status } : {}),
    type: "result",
    subtype: isError ? "error" : "success",
    is_error: isError,
  };
}

/** The one place where an outcome becomes bytes. */
export async function render(outcome: Outcome, given: RenderOptions): Promise<Rendering> {
  const spec = VERB_SPECS.find(({ name }) => name === given.verb);
  const redactor = revealing(given.redactor, shownSecrets(outcome.result, spec?.shownOnce));
  const options = { ...given, redactor };
  if (options.channel.format === "text") return renderText(outcome, options);
  const { body, exitCode } = respond(outcome, options.channel.envelope);
  const answer = options.redactor.redactValue(options.channel.stream ? resultLine(body, exitCode, outcome) : body);
  return { stdout: `${JSON.stringify(answer)}\n`, stderr: "", exitCode };
}
