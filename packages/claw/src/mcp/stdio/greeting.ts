import type { JsonObject } from "claw-contract";
import { isObject, parseJson } from "claw-contract";

/** What a server says about itself when a client comes. */
export interface ServerFace {
  readonly server: { readonly name: string; readonly title: string; readonly version: string };
  readonly instructions: string;
  readonly capabilities: JsonObject;
}

/** The answer to a client's first message. */
export interface Greeting {
  readonly id: string | number;
  readonly answer: JsonObject;
}

const LEGACY: ReadonlySet<unknown> = new Set(["2025-11-25", "2025-06-18", "2025-03-26"]);
const MODERN = "2026-07-28";

const META = "io.modelcontextprotocol";
const [VERSION, CLIENT, CAPABILITIES] = [
  `${META}/protocolVersion`,
  `${META}/clientInfo`,
  `${META}/clientCapabilities`,
] as const;

/** Whether an object has all of the names, and no others. */
const hasOnly = (value: unknown, names: readonly string[]): value is JsonObject =>
  isObject(value) && Object.keys(value).length === names.length && names.every((name) => Object.hasOwn(value, name));

/** Members of a client's description, all of them texts. */
const ABOUT: ReadonlySet<string> = new Set(["name", "title", "version", "description", "websiteUrl"]);

const isClient = (value: unknown): boolean =>
  isObject(value) &&
  typeof value["name"] === "string" &&
  typeof value["version"] === "string" &&
  Object.entries(value).every(([name, text]) => ABOUT.has(name) && typeof text === "string");

const holdsObjects = (value: unknown): boolean => isObject(value) && Object.values(value).every(isObject);

/** Whether the value lists ways in which a client asks its person, each without options. */
const isElicitation = (value: unknown): boolean =>
  isObject(value) && Object.values(value).every((way) => hasOnly(way, []));

const isRoots = (value: unknown): boolean =>
  isObject(value) && Object.entries(value).every(([name, is]) => name === "listChanged" && typeof is === "boolean");

/** Capabilities of usual clients. */
const areCapabilities = (value: unknown): boolean =>
  isObject(value) &&
  Object.entries(value).every(([name, capability]) => {
    if (name === "roots") return isRoots(capability);
    if (name === "elicitation") return isElicitation(capability);
    return ["sampling", "extensions"].includes(name) && holdsObjects(capability);
  });

function initialized(params: unknown, { server, instructions, capabilities }: ServerFace): JsonObject | undefined {
  if (!hasOnly(params, ["protocolVersion", "capabilities", "clientInfo"])) return undefined;
  const { protocolVersion, capabilities: able, clientInfo } = params;
  if (!LEGACY.has(protocolVersion) || !areCapabilities(able) || !isClient(clientInfo)) return undefined;
  return { protocolVersion, capabilities, serverInfo: server, instructions };
}

function discovered(params: unknown, { server, instructions, capabilities }: ServerFace): JsonObject | undefined {
  if (!hasOnly(params, ["_meta"])) return undefined;
  const { _meta: meta } = params;
  if (!hasOnly(meta, [VERSION, CLIENT, CAPABILITIES]) || meta[VERSION] !== MODERN) return undefined;
  if (!isClient(meta[CLIENT]) || !areCapabilities(meta[CAPABILITIES])) return undefined;
  return {
    supportedVersions: [MODERN],
    capabilities,
    instructions,
    resultType: "complete",
    ttlMs: 0,
    cacheScope: "private",
    _meta: { [`${META}/serverInfo`]: server },
  };
}

const isId = (id: unknown): id is string | number => typeof id === "string" || Number.isSafeInteger(id);

/**
 * Answers the usual first messages as the server will, without the server's code, which takes longer to load than Node
 * to start. Undefined for every other message: the server itself answers that one.
 */
export function greet(line: string, face: ServerFace): Greeting | undefined {
  const message = parseJson(line);
  if (!hasOnly(message, ["jsonrpc", "id", "method", "params"]) || message["jsonrpc"] !== "2.0") return undefined;
  const { id, method, params } = message;
  if (!isId(id)) return undefined;
  const answers: Readonly<Record<string, typeof initialized>> = {
    initialize: initialized,
    "server/discover": discovered,
  };
  const result =
    typeof method === "string" && Object.hasOwn(answers, method) ? answers[method]?.(params, face) : undefined;
  return result && { id, answer: { result, jsonrpc: "2.0", id } };
}
