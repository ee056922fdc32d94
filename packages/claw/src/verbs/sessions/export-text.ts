import type { ContentBlock, SessionRecord } from "claw-contract";

const fence = (text: string): string => {
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([ticks]) => ticks.length));
  const ticks = "`".repeat(longest + 1);
  return `${ticks}\n${text}\n${ticks}`;
};

const isText = (...values: readonly unknown[]): boolean => values.every((value) => typeof value === "string");

/** A block of a known form as Markdown; anything else as the JSON it is. */
function blockText(block: ContentBlock): string {
  if (block.type === "text" && isText(block.text)) return block.text;
  if (block.type === "thinking" && isText(block.thinking)) return `> ${block.thinking.replaceAll("\n", "\n> ")}`;
  if (block.type === "tool_use" && isText(block.name, block.input)) {
    return `**Tool call** \`${block.name}\`\n\n${fence(block.input)}`;
  }
  if (block.type === "tool_result" && isText(block.tool_name, block.output)) {
    return `**Tool result** \`${block.tool_name}\`${block.is_error ? " (error)" : ""}\n\n${fence(block.output)}`;
  }
  return fence(JSON.stringify(block));
}

const HEADINGS = { system: "System", user: "User", assistant: "Assistant", tool: "Tool" } as const;

/** One record as a piece of Markdown; empty for records that are bookkeeping. */
function recordMarkdown(record: SessionRecord): string {
  if (record.type === "compaction") {
    const count = Number.isSafeInteger(record.removed_message_count) ? `${record.removed_message_count} ` : "";
    const writer = record.summary_kind === "model" ? " The model wrote this summary." : "";
    return `\n---\n\n*${count}messages were compacted.${writer}*\n\n${record.summary}\n`;
  }
  if (record.type !== "message") return "";
  const { role, blocks } = record.message;
  return `\n## ${HEADINGS[role]}\n\n${blocks.map(blockText).join("\n\n")}\n`;
}

/** Turns records into pieces of one text. */
export interface ExportRenderer {
  readonly next: (record: SessionRecord) => string;
  readonly end: () => string;
}

function createMarkdownRenderer(sessionId: string): ExportRenderer {
  let head = `# Session ${sessionId}\n`;
  return {
    next: (record) => {
      const text = head + recordMarkdown(record);
      head = "";
      return text;
    },
    end: () => head,
  };
}

/** An array with one record a line. */
function createJsonRenderer(): ExportRenderer {
  let separator = "[\n";
  return {
    next: (record) => {
      const text = separator + JSON.stringify(record);
      separator = ",\n";
      return text;
    },
    end: () => (separator === "[\n" ? "[]\n" : "\n]\n"),
  };
}

export const createExportRenderer = (format: "markdown" | "json", sessionId: string): ExportRenderer =>
  format === "json" ? createJsonRenderer() : createMarkdownRenderer(sessionId);
