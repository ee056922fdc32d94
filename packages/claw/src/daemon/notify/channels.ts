import type { NoticeChannel, Settings } from "claw-contract";
import { LIMITS } from "claw-contract";
import { createByteTail, joinSignals, openProcess } from "../../process/index.ts";
import type { NoticeDelivery } from "./notice-body.ts";
import { bodyOf, signatureOf } from "./notice-body.ts";

export type NotifySettings = NonNullable<Settings["notify"]>;

/** The outcome of one attempt. */
export interface Attempted {
  readonly delivered: boolean;
  /** The answer of the command or server, or the error. */
  readonly detail: string;
}

export interface ChannelOptions {
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
  readonly commandMs?: number;
  readonly webhookMs?: number;
}

/** Delivers a notice once. Never rejects, and ends within a limit, or soon after the signal. */
export type Deliver = (delivery: NoticeDelivery, attempt: number, signal: AbortSignal) => Promise<Attempted>;

const TAIL_BYTES = 2048;

const failed = (detail: string): Attempted => ({ delivered: false, detail });

function problemOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { cause } = error;
  return cause instanceof Error ? `${error.message}: ${cause.message}` : error.message;
}

/** Resolves when the time is over or the signal is aborted. */
function timeOut(ms: number, signal: AbortSignal): { readonly over: Promise<string>; readonly clear: () => void } {
  let clear: () => void = () => undefined;
  const over = new Promise<string>((resolve) => {
    const timer = setTimeout(() => resolve(`did not end within ${ms / 1000} s`), ms);
    const stop = (): void => resolve("was interrupted");
    signal.addEventListener("abort", stop, { once: true });
    if (signal.aborted) stop();
    clear = () => {
      clearTimeout(timer);
      signal.removeEventListener("abort", stop);
    };
  });
  return { over, clear };
}

/** Runs a program with the notice on its standard input. Whatever the program started is ended with it. */
export const commandChannel =
  (argv: readonly [string, ...string[]], { cwd, env, commandMs = LIMITS.notifyCommandMs }: ChannelOptions): Deliver =>
  async (delivery, attempt, signal) => {
    const tail = createByteTail(TAIL_BYTES);
    const ending = { politeMs: LIMITS.runPoliteMs, firmMs: LIMITS.runFirmMs };
    const late = timeOut(commandMs, signal);
    try {
      const onStderr = (chunk: Uint8Array): void => tail.push(chunk);
      const child = await openProcess({ argv, cwd, env, input: true, aheadBytes: TAIL_BYTES, onStderr, ending });
      const work = async (): Promise<string | null> => {
        const written = child.write(`${bodyOf(delivery, attempt)}\n`).then(() => child.closeInput());
        for await (const chunk of child.output) tail.push(chunk);
        await written;
        const { exitCode, signal: by } = await child.exited;
        return exitCode === 0 ? null : `ended with ${exitCode ?? by ?? "no exit code"}`;
      };
      const problem = await Promise.race([work(), late.over]);
      await child.end();
      const said = tail.text().trim();
      if (problem === null) return { delivered: true, detail: said === "" ? "ended with 0" : said };
      return failed(said === "" ? problem : `${problem}: ${said}`);
    } catch (error) {
      return failed(`did not start: ${problemOf(error)}`);
    } finally {
      late.clear();
    }
  };

interface Webhook {
  readonly url: string;
  readonly secretEnv: string;
}

/** Posts the notice to an address, signed. A redirection is no delivery. */
export const webhookChannel =
  ({ url, secretEnv }: Webhook, { env, webhookMs = LIMITS.notifyWebhookMs }: ChannelOptions): Deliver =>
  async (delivery, attempt, signal) => {
    const secret = env[secretEnv];
    if (secret === undefined || secret === "") return failed(`the daemon's environment has no ${secretEnv}`);
    const body = bodyOf(delivery, attempt);
    const limited = joinSignals({ signals: [signal], timeoutMs: webhookMs });
    try {
      const response = await fetch(url, {
        method: "POST",
        redirect: "manual",
        headers: {
          "content-type": "application/json",
          "user-agent": "claw",
          "claw-delivery": delivery.id,
          "claw-signature": signatureOf(body, secret, Math.floor(Date.now() / 1000)),
        },
        body,
        signal: limited.signal,
      });
      await response.body?.cancel();
      return { delivered: response.ok, detail: `HTTP ${response.status}` };
    } catch (error) {
      const isLate = limited.signal.aborted && !signal.aborted;
      return failed(isLate ? `no answer within ${webhookMs / 1000} s` : problemOf(error));
    } finally {
      limited.release();
    }
  };

/** The channels that the settings name. */
export function channelsOf(
  { command = [], webhook }: NotifySettings,
  options: ChannelOptions,
): ReadonlyMap<NoticeChannel, Deliver> {
  const channels = new Map<NoticeChannel, Deliver>();
  const [program, ...args] = command;
  if (program !== undefined) channels.set("command", commandChannel([program, ...args], options));
  if (webhook !== undefined) channels.set("webhook", webhookChannel(webhook, options));
  return channels;
}
