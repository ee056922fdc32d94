import * as z from "zod";
import { bareEvent, wrappedEvent } from "../event-row.ts";
import { anyText, flag, record, text } from "../fields.ts";

const requestId = z.uuid().describe("Id of the call.");

export const RpcRequest = z.looseObject({
  requestId,
  method: text("What is called."),
  params: record("Its arguments.").optional(),
  callerPeerId: text("Who calls."),
});
export const RpcResponse = z.looseObject({
  requestId,
  ok: flag("Whether the call succeeded."),
  result: z.unknown().optional().describe("What it returned."),
  error: anyText("Why it failed.").optional(),
});

export const RPC_EVENTS = [
  bareEvent({
    address: "rpc.{peerId}.request",
    name: "rpc-request-v1",
    schema: RpcRequest,
    summary: "A call made to a peer.",
  }),
  wrappedEvent({
    address: "rpc.response.{callerId}.{requestId}",
    name: "rpc-response-v1",
    schema: RpcResponse,
    summary: "The answer to a call, from the peer that was called.",
  }),
] as const;
