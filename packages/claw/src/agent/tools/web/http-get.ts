import type { LookupAddress, LookupOptions } from "node:dns";
import { lookup } from "node:dns";
import type { IncomingMessage } from "node:http";
import { isIP } from "node:net";
import { ClawError, LIMITS } from "claw-contract";
import { isPrivateAddress } from "./private-address.ts";

export interface HttpAnswer {
  readonly status: number;
  readonly statusText: string;
  readonly type: string;
  readonly location: string | null;
  readonly body: Buffer;
  readonly isCut: boolean;
}

export interface HttpRequest {
  readonly url: URL;
  /** Whether addresses of this machine and its network may be reached. */
  readonly mayBePrivate: boolean;
}

type Callback = (error: Error | null, address?: string | LookupAddress[], family?: number) => void;

function refusal(host: string, address: string): ClawError {
  return new ClawError("PERMISSION_DENIED", `${host} is ${address}, an address that is not on the open internet`, {
    operation: "connect",
    target: host,
    hint: `Allow the host with a permission rule: web_fetch(domain:${host}).`,
  });
}

/**
 * Looks up a host name and refuses private addresses. The connection uses the result of this lookup, so the address
 * that is checked is also the address that is used.
 */
function checkedLookup(mayBePrivate: boolean) {
  return (host: string, options: LookupOptions, done: Callback): void => {
    lookup(host, { ...options, all: true }, (error, addresses) => {
      if (error !== null) return done(error);
      const odd = mayBePrivate ? undefined : addresses.find(({ address }) => isPrivateAddress(address));
      if (odd !== undefined) return done(refusal(host, odd.address));
      const [first] = addresses;
      if (options.all === true) return done(null, addresses);
      return first === undefined ? done(new Error("no address")) : done(null, first.address, first.family);
    });
  };
}

async function readBody(response: IncomingMessage): Promise<{ body: Buffer; isCut: boolean }> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    chunks.push(chunk.subarray(0, LIMITS.fetchBytes - size));
    size += chunk.length;
    if (size > LIMITS.fetchBytes) break;
  }
  return { body: Buffer.concat(chunks), isCut: size > LIMITS.fetchBytes };
}

async function send({ url, mayBePrivate }: HttpRequest, signal: AbortSignal): Promise<IncomingMessage> {
  const { get } = url.protocol === "https:" ? await import("node:https") : await import("node:http");
  return new Promise((resolve, reject) => {
    const request = get(
      url,
      {
        signal,
        agent: false,
        lookup: checkedLookup(mayBePrivate) as never,
        headers: {
          "user-agent": "claw",
          accept: "text/html,text/*,application/json;q=0.9,*/*;q=0.5",
          "accept-encoding": "identity",
        },
      },
      resolve,
    );
    request.once("error", reject);
  });
}

/**
 * Fetches one address and follows nothing. Rejects with ClawError for an address that may not be reached, and with the
 * error of the system or the signal's reason otherwise.
 */
export async function httpGet(request: HttpRequest, signal: AbortSignal): Promise<HttpAnswer> {
  const host = request.url.hostname.replaceAll(/[[\]]/g, "");
  if (!request.mayBePrivate && isIP(host) !== 0 && isPrivateAddress(host)) throw refusal(host, host);
  const response = await send(request, signal);
  try {
    const { body, isCut } = await readBody(response);
    return {
      status: response.statusCode ?? 0,
      statusText: response.statusMessage ?? "",
      type: response.headers["content-type"] ?? "",
      location: response.headers.location ?? null,
      body,
      isCut,
    };
  } finally {
    response.destroy();
  }
}
