import type { JSONRPCRequest } from "@modelcontextprotocol/server";
import type { JsonObject } from "claw-contract";
import { arrayOf, LIMITS, objectOf, textsOf } from "claw-contract";
import type { Caller } from "../layer/caller.ts";
import type { Guest } from "./guest-server.ts";
import type { ListenNotification, ListenStream } from "./listen-stream.ts";
import { createListenStream } from "./listen-stream.ts";
import { RPC_CODES, rpcRefusal } from "./rpc-answer.ts";

/** Sends the notifications of some tasks, until the signal is aborted. Tasks of other callers never change. */
export type FollowTasks = (
  what: { readonly taskIds: readonly string[]; readonly caller: Caller; readonly signal: AbortSignal },
  send: (notification: ListenNotification) => void,
) => void;

interface Opening {
  readonly guest: Guest;
  readonly request: JSONRPCRequest;
  /** The SDK's answer to the request. */
  readonly response: Response;
}

/** The filter that the SDK honours, from the first message of its stream. */
async function honouredBy(response: Response): Promise<JsonObject> {
  const reader = response.body?.getReader();
  const first = (await reader?.read())?.value as Uint8Array | undefined;
  await reader?.cancel();
  const data = /^data: (.*)$/m.exec(Buffer.from(first ?? []).toString("utf8"))?.[1] ?? "{}";
  return objectOf(objectOf(objectOf(JSON.parse(data))["params"])["notifications"]);
}

const filterOf = ({ params }: JSONRPCRequest): JsonObject => objectOf(objectOf(params)["notifications"]);

/** Follows what a filter names: resources, and tasks. */
function followAll({ caller, tables, followTasks }: Guest, filter: JsonObject) {
  return (send: (notification: ListenNotification) => void): (() => void) => {
    const ending = new AbortController();
    const uris = textsOf(arrayOf(filter["resourceSubscriptions"])).slice(0, LIMITS.mcpListens);
    const changed = (uri: string) => () => send({ method: "notifications/resources/updated", params: { uri } });
    const stops = uris.map((uri) => tables.resources?.watch?.(uri, caller, changed(uri)));
    const taskIds = textsOf(arrayOf(filter["taskIds"]));
    if (taskIds.length > 0) followTasks?.({ taskIds, caller, signal: ending.signal }, send);
    return () => {
      ending.abort();
      for (const stop of stops) stop?.();
    };
  };
}

/**
 * Answers `subscriptions/listen`. The SDK judges the request first: its headers, version and filter. It knows no tasks,
 * so the stream itself is ours.
 */
export async function openListen({ guest, request, response }: Opening, open: Set<ListenStream>): Promise<Response> {
  if (response.headers.get("content-type")?.startsWith("text/event-stream") !== true) return response;
  if (open.size >= LIMITS.mcpListens) {
    await response.body?.cancel();
    return rpcRefusal(200, { code: RPC_CODES.internal, text: "Subscription limit reached", id: request.id });
  }
  const honoured = await honouredBy(response);
  const taskIds = guest.followTasks === undefined ? [] : textsOf(arrayOf(filterOf(request)["taskIds"]));
  const filter = { ...honoured, ...(taskIds.length === 0 ? {} : { taskIds }) };
  const about = guest.tables.server;
  const stream: ListenStream = createListenStream(
    { request, honoured: filter, about, follow: followAll(guest, filter) },
    () => void open.delete(stream),
  );
  open.add(stream);
  // Nothing that the client asked for can ever come.
  if (Object.keys(filter).length === 0) stream.finish();
  return stream.response;
}
