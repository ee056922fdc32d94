import * as z from "zod";
import { LIMITS } from "../limits/limits.ts";

const Ms = z.int().min(0).max(LIMITS.fakeWaitMs);
const Input = z.record(z.string(), z.unknown());

const step = <T extends string, S extends z.ZodRawShape>(type: T, fields: S) =>
  z.strictObject({ type: z.literal(type), ...fields });

const Text = step("text", {
  text: z.string(),
  repeat: z.int().min(1).max(LIMITS.fakeTextBytes).optional().describe("How often the text stands in the one event."),
}).refine(({ text, repeat = 1 }) => text.length * repeat <= LIMITS.fakeTextBytes, {
  path: ["repeat"],
  message: `text times repeat must be at most ${LIMITS.fakeTextBytes} characters`,
});

const Runs = z
  .string()
  .min(1)
  .optional()
  .describe("A shell command that is really run in the working folder; what it prints is the tool's output.");

const Thinking = step("thinking", { text: z.string() });

const Tool = step("tool", {
  name: z.string().min(1).describe("As Claude Code names its tools; Codex shows what it has for it."),
  input: Input,
  output: z.string().default(""),
  failed: z.boolean().default(false),
  runs: Runs,
});

const Wait = step("wait", { ms: Ms });

const SubAgent = step("sub_agent", {
  description: z.string().default("Do part of it"),
  prompt: z.string().default("Please do it."),
  steps: z.array(z.discriminatedUnion("type", [Text, Thinking, Tool, Wait])).default([]),
  result: z.string(),
  background: z.boolean().default(false).describe("Goes on beside the conversation; Claude Code comes back to it."),
  lasts_ms: Ms.default(0).describe("How long it goes on after the turn, in the background."),
  follow_up: z.string().default("The sub-agent is done.").describe("What is said when it is done, in the background."),
});

const Retry = step("retry", {
  status: z.int().min(100).max(599).nullable().default(429).describe("Null is trouble with the network."),
  attempt: z.int().min(1).default(1),
  of: z.int().min(1).default(1),
  delay_ms: Ms.default(0),
});

const Line = step("line", { text: z.string().describe("Written as it stands, and a newline.") });
const Event = step("event", { event: z.record(z.string(), z.unknown()).describe("Written as one line of JSON.") });
const Stderr = step("stderr", { text: z.string() });
const Hang = step("hang", {});
const Cut = step("cut", { text: z.string().default("This is never finished, because") });

const Fail = step("fail", {
  status: z.int().min(400).max(599).default(500),
  message: z.string().optional().describe("The agent's own words for the status without it."),
  resets_in_ms: Ms.optional().describe("Says that the limit is over after this time, as Claude Code does."),
});

const Stop = step("stop", { reason: z.enum(["max_turns", "max_budget"]) });
const Exit = step("exit", { code: z.int().min(0).max(255), stderr: z.string().optional() });
const Crash = step("crash", { signal: z.enum(["SIGKILL", "SIGSEGV", "SIGABRT", "SIGTERM"]).default("SIGKILL") });

/** Steps that hold no others. */
const PLAIN_STEPS = [
  Text,
  Thinking,
  Tool,
  Wait,
  SubAgent,
  Retry,
  Line,
  Event,
  Stderr,
  Hang,
  Cut,
  Fail,
  Stop,
  Exit,
  Crash,
] as const;
const PlainStep = z.discriminatedUnion("type", PLAIN_STEPS);

const Permission = step("permission", {
  tool: z.string().min(1).default("Bash"),
  input: Input,
  reason: z.string().default("May I?"),
  output: z.string().default("").describe("What the tool gives once it is allowed."),
  runs: Runs,
  allowed: z.array(PlainStep).default([]).describe("Goes on so when it was allowed."),
  denied: z.array(PlainStep).default([]).describe("Steps after a denial, or when no answer could come."),
});

const Question = step("question", {
  question: z.string().min(1),
  header: z.string().default("Question"),
  options: z.array(z.strictObject({ label: z.string(), description: z.string().default("") })).min(1),
});

const Repeat = step("repeat", { times: z.int().min(0).max(LIMITS.fakeRepeats), steps: z.array(PlainStep) });

export const FakeStep = z.discriminatedUnion("type", [...PLAIN_STEPS, Permission, Question, Repeat]);

/** What a fake agent does. Strings may hold {{prompt}}, {{cwd}}, {{model}} and {{answer}}, the last answer it was given. */
export const FakeScenario = z.strictObject({
  $schema: z.string().optional(),
  summary: z.string().optional().describe("One line for people."),
  model: z.string().min(1).optional().describe("The model it says it uses, unless it is told one."),
  steps: z.array(FakeStep).describe("What happens after the first prompt."),
  later: z.array(z.array(FakeStep)).optional().describe("And after the next ones; the last of all repeats."),
  resumed: z
    .array(FakeStep)
    .optional()
    .describe("What happens instead of all that in a process that goes on with an earlier conversation."),
  usage: z
    .strictObject({
      input_tokens: z.int().min(0).default(1000),
      output_tokens: z.int().min(0).default(20),
      cost_usd: z.number().min(0).default(0.0044),
    })
    .optional()
    .describe("Of each answer of the model; results add them up."),
  drip: z
    .strictObject({ bytes: z.int().min(1), ms: Ms })
    .optional()
    .describe("Writes stdout in pieces of so many bytes, with a pause behind each."),
  terminal: z
    .strictObject({
      eats_enter: z.boolean().default(false).describe("Enter does nothing."),
      paste_delay_ms: Ms.default(0).describe("How long it takes to take in a paste."),
      asks_first: z
        .array(z.string().min(1))
        .default([])
        .describe("Questions before the first prompt, as first starts ask them; Enter accepts."),
    })
    .optional()
    .describe("How it behaves on a terminal, without -p."),
  linger_ms: Ms.nullable().optional().describe("How long it stays when all is said; null is for ever."),
  ignore_sigterm: z.boolean().optional(),
  exit_code: z.int().min(0).max(255).optional().describe("Instead of the one the agent would end with."),
  unknown_flags: z
    .enum(["refuse", "accept"])
    .optional()
    .describe("Flags the real CLI does not know; refuse by default."),
});

export type FakeStep = z.infer<typeof FakeStep>;
export type FakeScenario = z.infer<typeof FakeScenario>;
/** A scenario as a file has it: what has a default may be left out. */
export type FakeScenarioText = z.input<typeof FakeScenario>;
