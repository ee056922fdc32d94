import { mkdirSync, writeFileSync } from "node:fs";
import type { IncomingHttpHeaders } from "node:http";
import { request } from "node:http";
import { dirname, join } from "node:path";
import { brotliCompressSync, gzipSync } from "node:zlib";
import { WebSocket } from "ws";
import { onTestFinished } from "vitest";
import type { ReadRequest } from "claw-contract";
import { openTokenStore } from "../../../bus/index.ts";
import type { BusHarness, Frame } from "../../../bus/testing/bus-harness.ts";
import { startBus } from "../../../bus/testing/bus-harness.ts";
import { nodeFileSystem } from "../../../files/index.ts";
import { temporaryFolder } from "../../../files/testing/temporary-folder.ts";
import { until } from "../../../process/testing/until.ts";
import type { Pages } from "../pages.ts";
import { createPages } from "../pages.ts";

/** A page of three files, as the build leaves them. */
export const PAGE_BODIES: Readonly<Record<string, string>> = {
  "index.html": "<!doctype html><title>page</title>",
  "assets/index-abc.js": "console.log(1);".repeat(100),
  "favicon.svg": "<svg/>",
};

const TYPES: Readonly<Record<string, string>> = { html: "text/html", js: "text/javascript", svg: "image/svg+xml" };

export function writePageFolder(folder: string): string {
  const put = (path: string, bytes: string | Uint8Array): void => {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), bytes);
  };
  const rows = Object.keys(PAGE_BODIES).map((path) => ({
    path,
    type: TYPES[path.split(".").at(-1) ?? ""],
    digest: `digest-${path.length}`,
    isImmutable: path.startsWith("assets/"),
  }));
  put("files.json", JSON.stringify(rows));
  for (const [path, body] of Object.entries(PAGE_BODIES)) {
    put(`${path}.br`, brotliCompressSync(body));
    put(`${path}.gz`, gzipSync(body));
  }
  return folder;
}

export interface PageAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

interface Call {
  readonly method?: string;
  readonly headers?: Record<string, string>;
}

/** Asks for an address as it is written: nothing is tidied up. */
export function askPage(
  origin: string,
  path: string,
  { method = "GET", headers = {} }: Call = {},
): Promise<PageAnswer> {
  const { hostname, port } = new URL(origin);
  return new Promise((resolve, reject) => {
    const call = request({ host: hostname, port, path, method, headers, agent: false }, (response) => {
      const chunks: Buffer[] = [];
      response.on("data", (chunk: Buffer) => chunks.push(chunk));
      response.on("end", () =>
        resolve({ status: response.statusCode ?? 0, headers: response.headers, body: Buffer.concat(chunks) }),
      );
    });
    call.on("error", reject);
    call.end();
  });
}

/** A WebSocket as a page opens it: the status of a refusal, or the frames that came. */
export interface PageSocket {
  readonly status: () => number;
  readonly frames: Frame[];
  readonly isClosed: () => boolean;
  ask(body: Frame): Promise<Frame>;
}

export async function openPageSocket(url: string, headers: Record<string, string>): Promise<PageSocket> {
  const ws = new WebSocket(url.replace("http", "ws"), { headers });
  const frames: Frame[] = [];
  let status = 0;
  let closed = false;
  ws.on("unexpected-response", (_request, response) => {
    status = response.statusCode ?? 0;
    ws.terminate();
  });
  ws.on("open", () => (status = 101));
  ws.on("error", () => (closed = true));
  ws.on("close", () => (closed = true));
  ws.on("message", (data) => frames.push(JSON.parse((data as Buffer).toString()) as Frame));
  onTestFinished(() => ws.terminate());
  await until("an answer to the upgrade", () => status !== 0 || closed);
  let numbers = 0;
  return {
    status: () => status,
    frames,
    isClosed: () => closed,
    ask: (body) => {
      const id = `q${(numbers += 1)}`;
      ws.send(JSON.stringify({ ...body, id }));
      return until(`the answer to ${String(body["cmd"])}`, () => frames.find(({ rid }) => rid === id));
    },
  };
}

export interface PageScene {
  readonly bus: BusHarness;
  readonly pages: Pages;
  readonly folder: string;
  readonly reports: string[];
  open(request?: Partial<ReadRequest<"page.open">>): ReturnType<Pages["open"]>;
  /** Ends this daemon's page and starts another on the same files. */
  restart(): Promise<PageScene>;
}

const REQUEST: ReadRequest<"page.open"> = {
  role: "orchestrator",
  lifetimeMs: 60 * 60_000,
  address: "",
  tlsCert: "",
  tlsKey: "",
  insecure: false,
};

async function startPages(folder: string, clock: { now: number }): Promise<PageScene> {
  const now = (): number => clock.now;
  const tokens = openTokenStore(nodeFileSystem, folder, now);
  const bus = await startBus({ tokens, now });
  const reports: string[] = [];
  const pages = createPages({
    fs: nodeFileSystem,
    folder: join(folder, "built"),
    statePath: join(folder, "page.json"),
    tokens,
    revoke: (id) => void bus.bus.host.revokeToken(id),
    now,
    version: "1.2.3",
    workspace: "/a/workspace",
    report: (problem) => void reports.push(problem),
  });
  await pages.begin({ accept: bus.bus.accept, own: undefined });
  onTestFinished(() => pages.close());
  return {
    bus: { ...bus, clock },
    pages,
    folder,
    reports,
    open: (request) => pages.open({ ...REQUEST, ...request }),
    restart: async () => {
      await pages.close();
      return startPages(folder, clock);
    },
  };
}

/** The page on a real bus and real sockets, and a clock that stands still. */
export function startPageScene(): Promise<PageScene> {
  const folder = temporaryFolder(onTestFinished);
  writePageFolder(join(folder, "built"));
  return startPages(folder, { now: Date.parse("2026-01-01T00:00:00.000Z") });
}

/** A browser that has entered. */
export interface Visitor {
  readonly origin: string;
  /** The page's path, with a slash at both ends. */
  readonly path: string;
  readonly cookie: string;
  readonly get: (name: string, call?: Call) => Promise<PageAnswer>;
  socket(headers?: Record<string, string>): Promise<PageSocket>;
}

export const splitLink = (link: string): { origin: string; path: string; code: string } => {
  const { origin, pathname, searchParams } = new URL(link);
  return { origin, path: pathname.replace(/enter$/, ""), code: searchParams.get("code") ?? "" };
};

export const cookieIn = ({ headers }: PageAnswer): string => headers["set-cookie"]?.[0]?.split(";")[0] ?? "";

/** Uses the link, as a browser does. */
export async function enterWith(link: string): Promise<Visitor> {
  const { origin, path, code } = splitLink(link);
  const cookie = cookieIn(await askPage(origin, `${path}enter?code=${code}`));
  return {
    origin,
    path,
    cookie,
    get: (name, { method = "GET", headers = {} } = {}) =>
      askPage(origin, path + name, { method, headers: { cookie, ...headers } }),
    socket: (headers) => openPageSocket(`${origin}${path}socket`, headers ?? { cookie, origin }),
  };
}
