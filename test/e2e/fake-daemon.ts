import { mkdirSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { createInterface } from "node:readline";
import { onTestFinished } from "vitest";
import { identifySelf } from "../../packages/claw/src/process/index.ts";
import type { Frame } from "./daemon-process.ts";
import { clawsFile } from "./daemon-process.ts";
import type { Workspace } from "./workspace.ts";

/** Says that this process is the daemon of a folder, and listens at that socket. */
function putRecord(workspace: Workspace, socket: string): void {
  mkdirSync(clawsFile(workspace, "."), { recursive: true });
  const settings = { http: null, token: null, durability: "strict", policy: "strict" };
  const record = { ...identifySelf(), socket, ...settings, started_at: new Date().toISOString() };
  writeFileSync(clawsFile(workspace, "daemon.json"), JSON.stringify(record));
}

/** A daemon that answers every frame as told, or not at all. */
export async function playDaemon(workspace: Workspace, answer: (frame: Frame) => Frame | undefined): Promise<void> {
  const path = clawsFile(workspace, "claws.sock");
  putRecord(workspace, path);
  const server = createServer((socket) => {
    socket.on("error", () => socket.destroy());
    createInterface({ input: socket })
      .on("error", () => socket.destroy())
      .on("line", (line) => {
        const frame = JSON.parse(line) as Frame;
        const reply = answer(frame);
        if (reply !== undefined) socket.write(`${JSON.stringify({ rid: frame["id"], ...reply })}\n`);
      });
  });
  await new Promise<void>((resolve) => {
    server.listen(path, resolve);
  });
  onTestFinished(() => void server.close());
}

/** A daemon that lets a client in, and refuses its requests. */
export function playRefusingDaemon(workspace: Workspace, refusal: Frame): Promise<void> {
  const serverCapabilities = ["receipts", "gap", "durable", "resume"];
  const welcome = { ok: true, peerId: "p_000001", serverCapabilities };
  return playDaemon(workspace, ({ cmd }) => (cmd === "hello" ? welcome : { ok: false, ...refusal }));
}

/** A daemon that is there, so its record says, and at whose socket nobody answers. */
export function playDeafDaemon(workspace: Workspace): void {
  putRecord(workspace, clawsFile(workspace, "claws.sock"));
}
