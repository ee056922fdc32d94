import type { ToolPorts } from "../tool-host.ts";
import { request } from "./old-tool.ts";

/** Splits a cursor into the log's epoch and the sequence. */
export function placeOf(cursor: string): { readonly epoch: string; readonly sequence: number } {
  const [epoch = "0000", sequence = "0"] = cursor.split(":");
  return { epoch, sequence: Number(sequence) };
}

/** The end of the log now. */
export async function logHead(ports: ToolPorts): Promise<string> {
  const { log } = await request(ports, "introspect");
  return `${log.epoch}:${log.head}`;
}
