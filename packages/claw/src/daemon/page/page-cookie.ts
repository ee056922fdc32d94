import type { IncomingMessage } from "node:http";
import type { TLSSocket } from "node:tls";

const COOKIE = "claw_session";

/** Cookies of our name in one request: another program on this host can add some. */
const COOKIES_READ = 4;

/** The values of the page's cookie, the one with the longest path first, as browsers send them. */
export function cookiesOf({ headers }: Pick<IncomingMessage, "headers">): string[] {
  const pairs = (headers.cookie ?? "").split(";").map((pair) => pair.trim());
  const own = pairs.filter((pair) => pair.startsWith(`${COOKIE}=`));
  return own.slice(0, COOKIES_READ).map((pair) => pair.slice(COOKIE.length + 1));
}

/** Whether a request came over TLS. */
export const isEncrypted = ({ socket }: IncomingMessage): boolean => (socket as Partial<TLSSocket>).encrypted === true;

/**
 * The cookie is sent to the page's addresses only. Its path matters: browsers send a cookie to every port of a host, and
 * an agent may run a server on another port.
 */
export function cookieFor(request: IncomingMessage, path: string, session: { value: string; seconds: number }): string {
  const { value, seconds } = session;
  const attributes = [`Path=${path}`, `Max-Age=${seconds}`, "HttpOnly", "SameSite=Strict"];
  return [`${COOKIE}=${value}`, ...attributes, ...(isEncrypted(request) ? ["Secure"] : [])].join("; ");
}
