import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { BINARY } from "../e2e/run-claw.ts";
import type { Frame } from "../e2e/daemon-process.ts";
import { textOf } from "../e2e/provocations.ts";
import type { RealScene } from "./real-scene.ts";

/** A program that is claw, and that writes down each message of its MCP server with the time. */
const recorder = (log: string): string => `
"use strict";
const { appendFileSync } = require("node:fs");
const { spawn } = require("node:child_process");
const [, , ...args] = process.argv;
if (args[0] !== "mcp" || args[1] !== "serve") require(${JSON.stringify(BINARY)}).createLoader("mcp")("claw.cjs");
else {
  const server = spawn(process.execPath, [${JSON.stringify(BINARY)}, ...args], { stdio: ["pipe", "pipe", "inherit"] });
  const relay = (from, to, side) => {
    let rest = "";
    from.on("data", (bytes) => {
      to.write(bytes);
      rest += bytes;
      for (let end = rest.indexOf("\\n"); end !== -1; end = rest.indexOf("\\n")) {
        appendFileSync(${JSON.stringify(log)}, JSON.stringify({ at: Date.now(), side, message: rest.slice(0, end) }) + "\\n");
        rest = rest.slice(end + 1);
      }
    });
    from.on("end", () => to.end());
    to.on("error", () => from.destroy());
  };
  relay(process.stdin, server.stdin, "client");
  relay(server.stdout, process.stdout, "server");
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => server.kill(signal));
  server.on("exit", (code) => process.exit(code ?? 0));
}
`;

/** Puts such a program in place. Returns its path. */
export function putRecorder({ env }: RealScene): string {
  const path = join(String(env["HOME"]), "claw.cjs");
  writeFileSync(path, recorder(join(String(env["HOME"]), "messages.jsonl")));
  return path;
}

interface RecordedMessage {
  readonly at: number;
  readonly side: "client" | "server";
  readonly frame: Frame;
}

/** The messages between the client and the server, in order. */
function messagesOf({ env }: RealScene): RecordedMessage[] {
  const text = textOf(join(String(env["HOME"]), "messages.jsonl")) ?? "";
  return text
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => {
      const { at, side, message } = JSON.parse(line) as { at: number; side: "client" | "server"; message: string };
      return { at, side, frame: JSON.parse(message) as Frame };
    });
}

interface RecordedCall {
  readonly tool: string;
  readonly ms: number;
}

/** The calls of tools that were answered, with the time that each took. */
export function callsOf(scene: RealScene): RecordedCall[] {
  const messages = messagesOf(scene);
  return messages.flatMap(({ at, side, frame }) => {
    if (side !== "client" || frame["method"] !== "tools/call") return [];
    const answer = messages.find((each) => each.side === "server" && each.frame["id"] === frame["id"]);
    const { name } = frame["params"] as { name: string };
    return answer === undefined ? [] : [{ tool: name, ms: answer.at - at }];
  });
}
