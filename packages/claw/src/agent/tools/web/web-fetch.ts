import * as z from "zod";
import { ClawError, LIMITS, replaceControls } from "claw-contract";
import { joinSignals } from "../../../process/index.ts";
import { TOOL_ALIASES } from "../../permissions/tool-names.ts";
import type { HttpAnswer } from "./http-get.ts";
import { httpGet } from "./http-get.ts";
import { toolAnswer, attempt, excerpt, refuseCall } from "../tool-answer.ts";
import type { ToolDeps } from "../tool-deps.ts";
import type { AnyTool } from "../tool.ts";
import { defineTool } from "../tool.ts";

const Input = z.object({
  url: z.string().min(1).max(LIMITS.ruleChars).describe("Address to fetch, http or https."),
  prompt: z.string().optional().describe("What is wanted from the page."),
});

const REDIRECTS = new Set([301, 302, 303, 307, 308]);
const TEXT_TYPES = /^(?:text\/|application\/(?:json|xml|javascript|x-yaml|yaml|.+\+(?:json|xml))|$)/i;
const FIRST_ERROR_STATUS = 400;

function readUrl(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : null;
  const why = url === null ? "is no address" : /^https?:$/.test(url.protocol) ? null : "is neither http nor https";
  const secret = url !== null && (url.username !== "" || url.password !== "") ? "holds a password" : null;
  if (url !== null && why === null && secret === null) return url;
  throw new ClawError("ARGUMENT_PARSE_ERROR", `${url?.protocol ?? text.slice(0, 100)} ${why ?? secret}`, {
    operation: "fetch",
    target: url?.host ?? "url",
    hint: "Give a whole http or https address without user and password.",
  });
}

/** Whether a redirection stays on the host, with the same protocol or from http to https. */
function isSamePlace(from: URL, to: URL): boolean {
  if (to.host === from.host && to.protocol === from.protocol) return true;
  return to.hostname === from.hostname && from.protocol === "http:" && to.protocol === "https:" && to.port === "";
}

interface Fetched {
  readonly url: URL;
  readonly answer: HttpAnswer;
  /** The target of a redirection that was not followed; null when there was none. */
  readonly elsewhere: URL | null;
}

async function fetchPage(start: URL, deps: ToolDeps, signal: AbortSignal): Promise<Fetched> {
  let url = start;
  for (let hops = 0; ; hops += 1) {
    const mayBePrivate = deps.mode === "danger-full-access" || deps.isNamedAddress(url.href);
    const got = await httpGet({ url, mayBePrivate }, signal);
    if (!REDIRECTS.has(got.status) || got.location === null) return { url, answer: got, elsewhere: null };
    const next = URL.canParse(got.location, url.href) ? new URL(got.location, url) : null;
    if (next === null || !isSamePlace(url, next) || hops >= LIMITS.fetchRedirects) {
      return { url, answer: got, elsewhere: next ?? url };
    }
    url = next;
  }
}

async function pageText({ type, body, isCut }: HttpAnswer): Promise<string> {
  if (!TEXT_TYPES.test(type)) return `[${body.length} bytes of ${type.split(";")[0]}, which is no text]`;
  const text = body.toString();
  const isHtml = /html/i.test(type) || /^\s*<(?:!doctype html|html)/i.test(text);
  // Loaded late: few calls fetch a page.
  const readable = isHtml ? (await import("./html-text.ts")).htmlText(text) : text;
  const shown = excerpt(
    replaceControls(readable, () => ""),
    LIMITS.toolOutputBytes,
  );
  return isCut ? `${shown}\n[the page is larger than ${LIMITS.fetchBytes} bytes; the rest was not read]` : shown;
}

/** Fetches a page within `LIMITS.fetchMs`. Resolves with a sentence about the failure when the fetch fails. */
async function fetchInTime(url: URL, deps: ToolDeps, signal: AbortSignal): Promise<Fetched | string> {
  const limit = joinSignals({ signals: [signal], timeoutMs: LIMITS.fetchMs });
  try {
    return await fetchPage(url, deps, limit.signal);
  } catch (error) {
    signal.throwIfAborted();
    if (limit.signal.aborted) return `${url.host} did not answer in ${LIMITS.fetchMs} ms`;
    if (error instanceof ClawError) return error.message;
    return `${url.host} cannot be reached: ${error instanceof Error ? error.message : String(error)}`;
  } finally {
    limit.release();
  }
}

/** Fetches pages. */
export function createWebFetch(deps: ToolDeps): AnyTool {
  return defineTool<z.infer<typeof Input>>({
    name: "web_fetch",
    aliases: TOOL_ALIASES.web_fetch,
    responsibility: "Fetches a page of the web as text.",
    description:
      "Fetches an http or https address and gives its text. A redirection to another host is not followed but named. Addresses of this machine and its network are refused.",
    sourceHint: "docs/agent/tools.md#web_fetch",
    input: Input,
    mainField: "url",
    readOnly: true,
    requires: "danger-full-access",
    need: ({ url }) => ({ kind: "network", url: readUrl(url).href }),
    subject: ({ url }) => url,
    run: (input, _call, signal) =>
      attempt(signal, async () => {
        const started = performance.now();
        const fetched = await fetchInTime(readUrl(input.url), deps, signal);
        if (typeof fetched === "string") return refuseCall(fetched);
        const { status, statusText, body } = fetched.answer;
        const result =
          fetched.elsewhere === null
            ? await pageText(fetched.answer)
            : `[it points to ${fetched.elsewhere.href}; fetch that if it is wanted]`;
        return toolAnswer(
          {
            bytes: body.length,
            code: status,
            codeText: statusText,
            result,
            durationMs: Math.round(performance.now() - started),
            url: fetched.url.href,
          },
          status >= FIRST_ERROR_STATUS,
        );
      }),
  });
}
