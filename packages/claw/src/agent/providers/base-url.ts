import { ClawError, trimEndOf } from "claw-contract";

const OLLAMA_PORT = "11434";

/** Messages name the source of the address instead of the address, which may hold a password. */
function parse(text: string, source: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url !== undefined && /^https?:$/.test(url.protocol) && url.username === "" && url.password === "") return url;
  throw new ClawError("CONFIG_INVALID", `${source} is not the address of an API`, {
    operation: "choose_provider",
    target: source,
    hint: `Set ${source} to a URL such as https://example.com/v1, without a user name or password.`,
  });
}

const withoutQuery = ({ origin, pathname }: URL): string => origin + trimEndOf(pathname, "/");

/** Base URL of an API, without query and trailing slash. Throws CONFIG_INVALID for an invalid address. */
export const openAiBase = (text: string, source: string): string => withoutQuery(parse(text, source));

/** The same for Anthropic's API, whose paths begin with `/v1` already. */
export const anthropicBase = (text: string, source: string): string => openAiBase(text, source).replace(/\/v1$/, "");

/** `OLLAMA_HOST` names a host, with or without scheme and port, and maybe the address the server listens on. */
export function ollamaBase(text: string, source: string): string {
  const url = parse(/^[a-z]+:\/\//i.test(text) ? text : `http://${text}`, source);
  if (url.port === "" && url.protocol === "http:") url.port = OLLAMA_PORT;
  if (url.hostname === "0.0.0.0") url.hostname = "127.0.0.1";
  return `${withoutQuery(url).replace(/\/v1$/, "")}/v1`;
}

const LOCAL_NAME = /(^|\.)(localhost|local|internal)$/;
const PRIVATE_ADDRESS = /^((127|10)(\.\d+){3}|(192\.168|172\.(1[6-9]|2\d|3[01]))(\.\d+){2}|\[(::1|f[cd][\da-f:]+)\])$/;

/** Whether a server is local or in a private network, and may therefore work without a key. */
export const isOwnServer = (baseUrl: string): boolean => {
  const { hostname } = new URL(baseUrl);
  return LOCAL_NAME.test(hostname) || PRIVATE_ADDRESS.test(hostname) || !/[.:]/.test(hostname);
};
