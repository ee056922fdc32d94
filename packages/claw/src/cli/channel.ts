import type { Envelope } from "claw-contract";
import { ClawError, ENVELOPES } from "claw-contract";
import type { FlagNames } from "./arguments/tokenise.ts";
import { tokenise } from "./arguments/tokenise.ts";

export type Origin = "flag" | "env" | "config" | "default";

/** Format and envelope of the answer. Decided before any step can fail, because failures use the channel too. */
export interface AnswerChannel {
  readonly format: "text" | "json";
  /** Whether each item gets a line, followed by a last line with the answer. */
  readonly stream: boolean;
  readonly formatSource: Origin;
  readonly formatRaw: string | null;
  /** Earlier values of --output-format, overridden by the last value. */
  readonly formatOverridden: readonly string[];
  readonly envelope: Envelope;
  /** The deciding value, when claw does not know it. */
  readonly unknown?: { readonly name: "outputFormat" | "envelope"; readonly origin: Origin; readonly value: string };
}

export interface ChannelSources {
  readonly argv: readonly string[];
  readonly env: NodeJS.ProcessEnv;
  readonly names: FlagNames;
  /** Called only for values that neither flags nor environment decide. */
  readonly settings: (cwd: string | undefined) => { envelope?: string; outputFormat?: string };
}

const FORMATS: ReadonlySet<string> = new Set(["text", "json", "stream-json"]);

interface Decision {
  readonly value: string | undefined;
  readonly origin: Origin;
}

function firstGiven(flag: string | undefined, env: string | undefined, config: () => string | undefined): Decision {
  if (flag !== undefined) return { value: flag, origin: "flag" };
  if (env !== undefined && env !== "") return { value: env, origin: "env" };
  const value = config();
  return value === undefined ? { value: undefined, origin: "default" } : { value, origin: "config" };
}

/** Decides format and envelope from the raw line. Any format but "text" makes failures JSON, even an unknown word. */
export function decideChannel({ argv, env, names, settings }: ChannelSources): AnswerChannel {
  const flags = tokenise(argv, names).filter((token) => token.kind === "flag");
  const given = (name: string): string[] =>
    flags.flatMap((token) => (token.name === name && token.value !== undefined ? [token.value] : []));
  const formats = given("output-format");
  let early: ReturnType<typeof settings> | undefined;
  const config = (): ReturnType<typeof settings> => (early ??= settings(given("cwd").at(-1)));
  const format = firstGiven(formats.at(-1), env["CLAW_OUTPUT_FORMAT"], () => config().outputFormat);
  const envelope = firstGiven(given("envelope").at(-1), env["CLAW_ENVELOPE"], () => config().envelope);
  const formatWord = format.value?.toLowerCase() ?? "text";
  const envelopeWord = envelope.value?.toLowerCase() ?? "claw";
  const known = ENVELOPES.find((name) => name === envelopeWord);
  const unknownFormat = !FORMATS.has(formatWord);
  return {
    format: formatWord === "text" ? "text" : "json",
    stream: formatWord === "stream-json",
    formatSource: format.origin,
    formatRaw: format.value ?? null,
    formatOverridden: formats.slice(0, -1),
    envelope: known ?? "claw",
    ...(known === undefined
      ? { unknown: { name: "envelope" as const, origin: envelope.origin, value: envelope.value ?? "" } }
      : {}),
    ...(unknownFormat
      ? { unknown: { name: "outputFormat" as const, origin: format.origin, value: format.value ?? "" } }
      : {}),
  };
}

/** The error for a format or envelope that the environment asks for and claw does not know. */
export function channelProblem({ unknown }: AnswerChannel): ClawError | undefined {
  if (unknown?.origin !== "env") return undefined;
  const isFormat = unknown.name === "outputFormat";
  const target = isFormat ? "CLAW_OUTPUT_FORMAT" : "CLAW_ENVELOPE";
  const expected = isFormat ? ["text", "json"] : ENVELOPES;
  const value = unknown.value.slice(0, 200);
  return new ClawError(
    isFormat ? "INVALID_OUTPUT_FORMAT" : "INVALID_FLAG_VALUE",
    `${target} must be one of ${expected.join(", ")}, not '${value}'`,
    {
      operation: "decide_channel",
      target,
      details: { value, expected },
    },
  );
}
