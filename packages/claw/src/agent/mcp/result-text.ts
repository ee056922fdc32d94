import { LIMITS } from "@claw/contract";
import { firstChars } from "../first-chars.ts";

type Members = Readonly<Record<string, unknown>>;

const isMembers = (value: unknown): value is Members => typeof value === "object" && value !== null;

const word = (value: unknown, otherwise: string): string =>
  typeof value === "string" && value !== "" ? value : otherwise;

/** Bytes behind a text in base64. */
const sizeOf = (data: unknown): number => (typeof data === "string" ? Math.floor((data.length * 3) / 4) : 0);

function describeResource(resource: unknown): string {
  if (!isMembers(resource)) return "[a resource]";
  const { uri, mimeType, text, blob } = resource;
  const head = `resource ${word(uri, "without address")}`;
  if (typeof text === "string") return `[${head}]\n${text}`;
  return `[${head}: ${word(mimeType, "unknown type")}, ${sizeOf(blob)} bytes, not shown]`;
}

function describeBlock(block: unknown): string {
  if (!isMembers(block)) return "";
  const { type, text, mimeType, data, resource, uri, name } = block;
  switch (type) {
    case "text":
      return typeof text === "string" ? text : "";
    case "image":
    case "audio":
      return `[${type}: ${word(mimeType, "unknown type")}, ${sizeOf(data)} bytes, not shown]`;
    case "resource":
      return describeResource(resource);
    case "resource_link":
      return `[link to ${word(name, "a resource")}: ${word(uri, "without address")}]`;
    default:
      return `[content of type ${word(type, "unknown")}, not shown]`;
  }
}

/** Whether a text says the same as the structure: servers send both for older clients. */
function saysTheSame(text: string, structure: string): boolean {
  try {
    return JSON.stringify(JSON.parse(text)) === structure;
  } catch {
    // No JSON, so something else.
    return false;
  }
}

function bounded(text: string): string {
  const rest = text.length - LIMITS.mcpResultChars;
  return rest <= 0 ? text : `${firstChars(text, LIMITS.mcpResultChars)}\n[${rest} more characters are left out]`;
}

/** What a model reads of a result: texts, the structure as JSON, and a line for whatever is neither. */
export function resultText(result: Members): string {
  const { content, structuredContent } = result;
  const parts = Array.isArray(content) ? content.map(describeBlock) : [];
  const structure = structuredContent === undefined ? undefined : JSON.stringify(structuredContent);
  if (structure !== undefined && !parts.some((part) => saysTheSame(part, structure))) parts.push(structure);
  return bounded(parts.filter((part) => part !== "").join("\n"));
}

/** What a model reads of a resource: its texts, and a line for each part that is none. */
export function resourceText({ contents }: Members): string {
  const parts = Array.isArray(contents) ? contents.map(describeResource) : [];
  return bounded(parts.join("\n"));
}

/** What a prompt of a server says. Messages in the place of the model are marked. */
export function promptText({ messages }: Members): string {
  const said = (Array.isArray(messages) ? messages : []).filter(isMembers).map(({ role, content }) => {
    const text = (Array.isArray(content) ? content : [content]).map(describeBlock).join("\n");
    return role === "assistant" ? `[assistant]\n${text}` : text;
  });
  return bounded(said.join("\n\n"));
}

const CONTROL = /\p{Cc}+/gu;

/** A name, address or description of a server's as one line that is not too long. */
export const oneLine = (text: string): string => firstChars(text.replaceAll(CONTROL, " ").trim(), LIMITS.mcpNameChars);
