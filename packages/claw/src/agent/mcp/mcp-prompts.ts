import { ClawError } from "claw-contract";
import type { ListedPrompt } from "./list-offers.ts";
import type { McpLink } from "./mcp-link.ts";
import { serverLine } from "./result-text.ts";
import { nameTools } from "./tool-names.ts";

/** A prompt of an MCP server that a person can call by name. */
export interface McpPrompt {
  /** `mcp__server__prompt`. */
  readonly name: string;
  readonly server: string;
  /** The server's description of the prompt, on one line. */
  readonly description: string;
  readonly arguments: readonly { readonly name: string; readonly required: boolean }[];
  /**
   * The text that the server makes from the words typed after the prompt's name. Rejects with INVALID_FLAG_VALUE when a
   * required argument is missing, with MCP_SERVER_UNAVAILABLE when the server gives no text, with PERMISSION_DENIED
   * when a rule denies the prompt, or with the signal's reason.
   */
  readonly get: (words: string, signal: AbortSignal) => Promise<string>;
}

const WORD = /"((?:[^"\\]|\\.)*)"|(\S+)/g;

/** The first words of a text, at most `count` of them. */
function firstWords(text: string, count: number): RegExpExecArray[] {
  const found: RegExpExecArray[] = [];
  for (const match of text.matchAll(WORD)) {
    if (found.length === count) break;
    found.push(match);
  }
  return found;
}

/**
 * Reads words as arguments in order. Quotes keep several words together. The last argument takes all remaining words.
 */
export function readPromptArguments(words: string, names: readonly string[]): Record<string, string> {
  const found = firstWords(words, names.length + 1);
  const values = names.map((_name, index) => {
    const match = found[index];
    if (match === undefined) return undefined;
    const isLast = index === names.length - 1 && found.length > names.length;
    if (isLast) return words.slice(match.index).trim();
    return match[1]?.replaceAll(/\\(.)/g, "$1") ?? match[2];
  });
  return Object.fromEntries(
    names.flatMap((name, index) => (values[index] === undefined ? [] : [[name, values[index]]])),
  );
}

function requireAll({ name, arguments: known }: McpPrompt, given: Readonly<Record<string, string>>): void {
  const missing = known.filter((argument) => argument.required && given[argument.name] === undefined);
  if (missing.length === 0) return;
  throw new ClawError("INVALID_FLAG_VALUE", `/${name} needs ${missing.map((argument) => argument.name).join(", ")}`, {
    operation: "read_mcp_prompt",
    target: name,
    hint: `/${name} ${promptUsage(known)}`,
  });
}

/** How the arguments of a prompt are typed. */
export const promptUsage = (known: McpPrompt["arguments"]): string =>
  known.map(({ name, required }) => (required ? name.toUpperCase() : `[${name.toUpperCase()}]`)).join(" ");

function createPrompt(name: string, link: McpLink, listed: ListedPrompt): McpPrompt {
  const { name: server } = link.server;
  const known = (listed.arguments ?? []).map((argument) => ({
    name: argument.name,
    required: argument.required === true,
  }));
  const prompt: McpPrompt = {
    name,
    server,
    description: serverLine(listed.description ?? "") || `A prompt of the MCP server ${server}.`,
    arguments: known.map((argument) => ({ ...argument, name: serverLine(argument.name) })),
    get: async (words, signal) => {
      const given = readPromptArguments(
        words,
        known.map((argument) => argument.name),
      );
      requireAll({ ...prompt, arguments: known }, given);
      try {
        return await link.use((connection) => connection.getPrompt(listed.name, given, signal), signal);
      } catch (error) {
        signal.throwIfAborted();
        const why = error instanceof Error ? error.message : "unknown error";
        const options = { operation: "get_mcp_prompt", target: name, hint: "/mcp lists the servers." };
        throw new ClawError("MCP_SERVER_UNAVAILABLE", `The server ${server} gave no prompt: ${why}`, options);
      }
    },
  };
  return prompt;
}

/** The prompts of all servers under names that a person can type. */
export function createPrompts(links: readonly McpLink[]): readonly McpPrompt[] {
  const found = links.flatMap((link) => link.offers().prompts.map((listed) => ({ link, listed })));
  const names = nameTools(found.map(({ link, listed }) => ({ server: link.server.name, tool: listed.name })));
  return found.map(({ link, listed }, index) => createPrompt(names[index] ?? "", link, listed));
}
