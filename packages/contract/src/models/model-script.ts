import * as z from "zod";
import { ERROR_CODES } from "../errors/errors.ts";
import { LIMITS } from "../limits/limits.ts";

const Tokens = z.int().min(0);

const Block = z.discriminatedUnion("type", [
  z.strictObject({ type: z.literal("text"), text: z.string() }),
  z.strictObject({ type: z.literal("thinking"), text: z.string() }),
  z.strictObject({
    type: z.literal("tool"),
    id: z.string().min(1).optional().describe("Of the call; one that is unique in the conversation by default."),
    name: z.string().min(1),
    input: z
      .union([z.record(z.string(), z.unknown()), z.string()])
      .describe("A string is what the model writes as it stands, JSON or not."),
  }),
  z.strictObject({ type: z.literal("wait"), ms: z.int().min(0).max(LIMITS.fakeWaitMs) }),
]);

const Condition = z
  .strictObject({
    tool_result_contains: z.string().optional().describe("The last tool result holds this text."),
    tool_failed: z.boolean().optional().describe("The last tool result is an error, or is none."),
    prompt_contains: z.string().optional().describe("The last text of the user holds this text."),
  })
  .describe("All that is named must hold.");

export const ScriptedTurn = z.strictObject({
  when: Condition.optional().describe("Among alternatives, the first that fits is taken."),
  blocks: z.array(Block).max(LIMITS.modelScriptBlocks).default([]).describe("What the model says, in order."),
  stop_reason: z.string().min(1).optional().describe("tool_use with a tool, end_turn without by default."),
  usage: z
    .strictObject({
      input_tokens: Tokens.default(0),
      output_tokens: Tokens.default(0),
      cache_creation_input_tokens: Tokens.default(0),
      cache_read_input_tokens: Tokens.default(0),
    })
    .optional()
    .describe("Estimated from the texts without it."),
  error: z
    .strictObject({
      code: z.enum(ERROR_CODES),
      message: z.string().min(1).optional(),
      retry_after_ms: z.int().min(0).optional(),
    })
    .optional()
    .describe("The request fails so, after the blocks."),
});

/**
 * What the model `scripted:FILE` says. The turn is the number of messages of the model in the request, so that a
 * conversation can be resumed; the last turn repeats. Strings may hold {{prompt}} and {{tool_result}}.
 */
export const ModelScript = z.strictObject({
  $schema: z.string().optional(),
  summary: z.string().optional().describe("One line for people."),
  turns: z
    .array(z.union([ScriptedTurn, z.array(ScriptedTurn).min(1).max(LIMITS.modelScriptBlocks)]))
    .min(1)
    .max(LIMITS.modelScriptTurns)
    .describe("Each is a turn, or a list of alternatives."),
  compaction: ScriptedTurn.optional().describe(
    "The answer to a request for a summary of the conversation. Without it that request fails, and claw makes the summary itself.",
  ),
});

export type ScriptedTurn = z.infer<typeof ScriptedTurn>;
export type ModelScript = z.infer<typeof ModelScript>;
/** A script as a file has it: what has a default may be left out. */
export type ModelScriptText = z.input<typeof ModelScript>;
