import type { ContentBlock, JsonObject } from "claw-contract";
import { parseObject } from "claw-contract";
import type { TurnEvent } from "../../../agent/index.ts";

/** A line of `stream-json`, in the shapes that agents' CLIs use. */
export type StreamLine = JsonObject & { readonly type: string };

/** Facts for the lines of a run: the session and the model. */
export interface StreamIdentity {
  readonly sessionId: string;
  readonly model: string;
}

export interface InitFacts extends StreamIdentity {
  readonly cwd: string;
  readonly tools: readonly string[];
  readonly permissionMode: string;
  readonly apiKeySource: string;
  readonly version: string;
}

/** The first line of a run. */
export const initLine = ({
  sessionId,
  model,
  cwd,
  tools,
  permissionMode,
  apiKeySource,
  version,
}: InitFacts): StreamLine => ({
  type: "system",
  subtype: "init",
  session_id: sessionId,
  cwd,
  model,
  tools: [...tools],
  permissionMode,
  apiKeySource,
  claw_version: version,
});

/** A block as the Messages API shows it. */
function contentOf(block: ContentBlock): JsonObject {
  if (block.type !== "tool_use") return { ...block };
  const { type, id, name, input } = block;
  return { type, id, name, input: parseObject(input) ?? {} };
}

const reported = (subtype: string, fields: JsonObject, { sessionId }: StreamIdentity): StreamLine => ({
  type: "system",
  subtype,
  ...fields,
  session_id: sessionId,
});

/** The line that reports a compaction: the number of replaced messages, and the kind of summary. */
function compactLine(event: Extract<TurnEvent, { kind: "compacted" }>, identity: StreamIdentity): StreamLine {
  const { removedMessages, notice, summaryKind, fallbackReason } = event;
  const metadata = {
    trigger: "auto",
    removed_messages: removedMessages,
    summary_kind: summaryKind,
    ...(fallbackReason === null ? {} : { fallback_reason: fallbackReason }),
  };
  return reported("compact_boundary", { compact_metadata: metadata, content: notice }, identity);
}

/** The lines for one event of a turn; none for those that only people watch. */
export function streamLines(event: TurnEvent, identity: StreamIdentity): StreamLine[] {
  const common = { parent_tool_use_id: event.agent ?? null, session_id: identity.sessionId };
  switch (event.kind) {
    case "assistant": {
      const { stopReason, usage } = event;
      const content = event.blocks.map(contentOf);
      const message = {
        role: "assistant",
        model: identity.model,
        content,
        stop_reason: stopReason,
        usage: { ...usage },
      };
      return [{ type: "assistant", message, ...common }];
    }
    case "tool-result": {
      const { id, output, isError } = event;
      const content = [{ type: "tool_result", tool_use_id: id, content: output, is_error: isError }];
      return [{ type: "user", message: { role: "user", content }, ...common }];
    }
    case "denied": {
      const { tool_name, tool_use_id, reason } = event.denial;
      return [reported("permission_denied", { tool_name, tool_use_id, reason }, identity)];
    }
    case "compacting":
      return [reported("status", { status: "compacting" }, identity)];
    case "compacted":
      return [compactLine(event, identity)];
    case "notice":
      return [reported("informational", { content: event.text }, identity)];
    case "model": {
      if (event.event.kind !== "retry") return [];
      const { attempt, maxAttempts, delayMs, status, reason } = event.event;
      const fields = { max_retries: maxAttempts, retry_delay_ms: delayMs, error_status: status, error: reason };
      return [reported("api_retry", { attempt, ...fields }, identity)];
    }
    case "tool-started":
    case "tool-progress":
      return [];
  }
}
