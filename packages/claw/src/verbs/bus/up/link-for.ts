import type { VerbInput, VerbOutput } from "claw-contract";
import type { DaemonRecord } from "../../../daemon/index.ts";
import type { Ports } from "../../runtime/handle.ts";
import { openPage } from "../dashboard/open-page.ts";

type Link = Pick<VerbOutput<"up">, "page_url" | "page_expires_at" | "page_opened">;

/** The daemon's own HTTP server as `host:port`, where `--http` was given. */
function ownServer({ http: asked }: VerbInput<"up">, { http }: DaemonRecord): { http?: string } {
  if (asked === undefined || http === null) return {};
  const { protocol, hostname, port } = new URL(http);
  const usual = protocol === "https:" ? "443" : "80";
  return { http: `${hostname}:${port === "" ? usual : port}` };
}

/** The link that `--web` asks for: to the server of `--http`, else to a port of this machine. Nothing without `--web`. */
export async function linkFor(input: VerbInput<"up">, record: DaemonRecord, ports: Ports): Promise<Link> {
  if (!input.web) return {};
  const { noOpen } = input;
  const server = { insecure: false, ...ownServer(input, record) };
  const { url, expires_at, opened } = await openPage(
    { role: "orchestrator", expires: "30d", noOpen, ...server },
    ports,
  );
  return { page_url: url, page_expires_at: expires_at, page_opened: opened };
}
