import { isObject, LIMITS } from "claw-contract";
import type { Environment, JsonObject } from "claw-contract";
import { expandVariables } from "./expand-variables.ts";

interface ServerBase {
  readonly name: string;
  /** Whether an agent cannot open without this server. */
  readonly required: boolean;
  readonly callTimeoutMs: number;
}

/** An MCP server that is a child process and speaks over stdin and stdout. */
export interface ProcessServer extends ServerBase {
  readonly kind: "stdio";
  readonly argv: readonly [string, ...string[]];
  /** Variables for the process, besides the few that every server gets. */
  readonly env: Readonly<Record<string, string>>;
}

/** An MCP server reached over HTTP. `sse` is the older transport, with one stream of events for all answers. */
export interface HttpServer extends ServerBase {
  readonly kind: "http" | "sse";
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
}

export type McpServer = ProcessServer | HttpServer;

/** A faulty entry. The message names the field and the fault, never a value. */
export interface ServerProblem {
  readonly name: string;
  readonly required: boolean;
  readonly message: string;
}

/** Longest timeout. A longer one is as good as for ever, and may be more than a timer can hold. */
const LONGEST_MS = 24 * 60 * 60 * 1000;

/** The fault of one entry. Thrown and caught only in this file. */
class Wrong extends Error {}

class ServerFields {
  private readonly members: JsonObject;
  private readonly variables: Environment;

  constructor(members: JsonObject, variables: Environment) {
    this.members = members;
    this.variables = variables;
  }

  private expand(field: string, value: unknown): string {
    if (typeof value !== "string" || value.includes("\0")) throw new Wrong(`${field} must be text`);
    const expansion = expandVariables(value, this.variables);
    if ("missing" in expansion) throw new Wrong(`${field} needs the variable ${expansion.missing}, which is not set`);
    return expansion.text;
  }

  text(field: string): string {
    const text = this.expand(field, this.members[field]);
    if (text.trim() === "") throw new Wrong(`${field} must not be empty`);
    return text;
  }

  list(field: string): string[] {
    const value = this.members[field] ?? [];
    if (!Array.isArray(value)) throw new Wrong(`${field} must be a list of texts`);
    return value.map((item, index) => this.expand(`${field}[${index}]`, item));
  }

  texts(field: string): Record<string, string> {
    const value = this.members[field] ?? {};
    if (!isObject(value)) throw new Wrong(`${field} must be an object of texts`);
    return Object.fromEntries(
      Object.entries(value).map(([name, item]) => [name, this.expand(`${field}.${name}`, item)]),
    );
  }

  url(): string {
    const text = this.text("url");
    const isAddress = URL.canParse(text) && /^https?:$/.test(new URL(text).protocol);
    if (!isAddress) throw new Wrong("url must be an address of http or https");
    return text;
  }

  headers(): Record<string, string> {
    const headers = this.texts("headers");
    try {
      return Object.fromEntries(new Headers(headers));
    } catch {
      throw new Wrong("headers must be names and values that HTTP can carry");
    }
  }

  flag(field: string): boolean {
    const value = this.members[field] ?? false;
    if (typeof value !== "boolean") throw new Wrong(`${field} must be true or false`);
    return value;
  }

  milliseconds(field: string, fallback: number): number {
    const value = this.members[field] ?? fallback;
    if (typeof value !== "number" || !(value > 0)) throw new Wrong(`${field} must be a number above 0`);
    return Math.min(value, LONGEST_MS);
  }
}

function kindOf({ type, command, url }: JsonObject): McpServer["kind"] {
  const kind = type ?? (command !== undefined ? "stdio" : url !== undefined ? "http" : undefined);
  if (kind === "stdio" || kind === "http" || kind === "sse") return kind;
  throw new Wrong(kind === undefined ? "it has neither command nor url" : "type must be stdio, http or sse");
}

function readServer(name: string, entry: unknown, env: Environment): McpServer {
  if (!isObject(entry)) throw new Wrong("it must be an object with a command or a url");
  const fields = new ServerFields(entry, env);
  const kind = kindOf(entry);
  const callTimeoutMs = fields.milliseconds("toolCallTimeoutMs", LIMITS.mcpCallMs);
  const base = { name, required: fields.flag("required"), callTimeoutMs };
  return kind === "stdio"
    ? { ...base, kind, argv: [fields.text("command"), ...fields.list("args")], env: fields.texts("env") }
    : { ...base, kind, url: fields.url(), headers: fields.headers() };
}

/**
 * Reads the section `mcpServers` and replaces variables. A faulty entry becomes a problem; other entries still count.
 */
export function readServers(
  config: JsonObject,
  env: Environment,
): { readonly servers: readonly McpServer[]; readonly problems: readonly ServerProblem[] } {
  const servers: McpServer[] = [];
  const problems: ServerProblem[] = [];
  for (const [name, entry] of Object.entries(config)) {
    try {
      servers.push(readServer(name, entry, env));
    } catch (error) {
      if (!(error instanceof Wrong)) throw error;
      problems.push({ name, required: isObject(entry) && entry["required"] === true, message: error.message });
    }
  }
  return { servers, problems };
}
