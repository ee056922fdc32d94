import type { JsonObject } from "claw-contract";
import { firstChars, isObject, LIMITS, parseJson } from "claw-contract";

const word = (value: unknown, otherwise: string): string =>
  typeof value === "string" && value !== "" ? value : otherwise;

/** Number of bytes that a base64 text holds. */
const base64Bytes = (data: unknown): number => (typeof data === "string" ? Math.floor((data.length * 3) / 4) : 0);

function describeResource(resource: unknown): string {
  if (!isObject(resource)) return "[a resource]";
  const { uri, mimeType, text, blob } = resource;
  const head = `resource ${word(uri, "without address")}`;
  if (typeof text === "string") return `[${head}]\n${text}`;
  return `[${head}: ${word(mimeType, "unknown type")}, ${base64Bytes(blob)} bytes, not shown]`;
}

function describeBlock(block: unknown): string {
  if (!isObject(block)) return "";
  const { type, text, mimeType, data, resource, uri, name } = block;
  switch (type) {
    case "text":
      return typeof text === "string" ? text : "";
    case "image":
    case "audio":
      return `[${type}: ${word(mimeType, "unknown type")}, ${base64Bytes(data)} bytes, not shown]`;
    case "resource":
      return describeResource(resource);
    case "resource_link":
      return `[link to ${word(name, "a resource")}: ${word(uri, "without address")}]`;
    default:
      return `[content of type ${word(type, "unknown")}, not shown]`;
  }
}

/** Whether a text repeats the structure: servers send both, for older clients. */
const saysTheSame = (text: string, structure: string): boolean => JSON.stringify(parseJson(text)) === structure;

function bounded(text: string): string {
  const rest = text.length - LIMITS.mcpResultChars;
  return rest <= 0 ? text : `${firstChars(text, LIMITS.mcpResultChars)}\n[${rest} more characters are left out]`;
}

/** A tool result as text for the model: texts, the structure as JSON, and one line for each other block. */
export function resultText(result: JsonObject): string {
  const { content, structuredContent } = result;
  const parts = Array.isArray(content) ? content.map(describeBlock) : [];
  const structure = structuredContent === undefined ? undefined : JSON.stringify(structuredContent);
  if (structure !== undefined && !parts.some((part) => saysTheSame(part, structure))) parts.push(structure);
  return bounded(parts.filter((part) => part !== "").join("\n"));
}

/** A resource as text for the model: texts, and one line for each part that is not text. */
export function resourceText({ contents }: JsonObject): string {
  const parts = Array.isArray(contents) ? contents.map(describeResource) : [];
  return bounded(parts.join("\n"));
}

/** The text of a server's prompt. Messages with the role of the model are marked. */
export function promptText({ messages }: JsonObject): string {
  const said = (Array.isArray(messages) ? messages : []).filter(isObject).map(({ role, content }) => {
    const text = (Array.isArray(content) ? content : [content]).map(describeBlock).join("\n");
    return role === "assistant" ? `[assistant]\n${text}` : text;
  });
  return bounded(said.join("\n\n"));
}

const CONTROL = /\p{Cc}+/gu;

/** A name, address or description from a server, on one line of limited length. */
export const serverLine = (text: string): string =>
  firstChars(text.replaceAll(CONTROL, " ").trim(), LIMITS.mcpNameChars);
