import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, onTestFinished, test } from "vitest";
import { until } from "../../packages/claw/src/process/testing/until.ts";
import { temporaryFolder } from "../../packages/claw/src/files/testing/temporary-folder.ts";
import { openStoredTerminal, startHost } from "../../packages/claw/src/terminals/index.ts";
import { connectTestClient, open } from "../../packages/claw/src/terminals/testing/start-test-host.ts";
import { chooseSeed, createRandom } from "../reliability/random.ts";
import { isAlive, killHard } from "./daemon-process.ts";
import { effort } from "./effort.ts";

const HOST = fileURLToPath(new URL("../../packages/claw/dist/terminal-host.cjs", import.meta.url));
/** Counts as fast as a shell can, until its terminal is gone. */
const COUNTER = ["/bin/sh", "-c", "i=0; while echo line $i; do i=$((i+1)); done"];

/** A host of its own with one terminal that prints without end. */
async function startCounting() {
  const folder = join(temporaryFolder(onTestFinished), ".claws");
  mkdirSync(folder, { mode: 0o700 });
  const daemonSocket = join(folder, "claws.sock");
  const host = await startHost({ folder, daemonSocket, argv: [process.execPath, HOST], env: process.env });
  const { pid } = host;
  onTestFinished(() => (isAlive(pid) ? killHard(pid) : undefined));
  const client = await connectTestClient(host);
  await open(client, "1", { argv: COUNTER });
  return { folder, pid, client };
}

function storedText(folder: string): string {
  const stored = openStoredTerminal(folder, "1");
  const total = stored?.total() ?? 0;
  let text = "";
  while (text.length < total) text += stored?.read({ offset: text.length, limit: 1_000_000 }).bytes.toString() ?? "";
  return text;
}

test("nothing that a client has seen or counted is lost when the host is killed", { timeout: 120_000 }, async () => {
  const random = createRandom(chooseSeed());
  for (let round = 0; round < effort(5, 100); round += 1) {
    const { folder, pid, client } = await startCounting();
    await client.ask("attach", { terminalId: "1", from: 0 });
    const pushes = 1 + random.below(200);
    await until("some output", () => client.pushes.length >= pushes);
    const { offset } = await client.ask("offset", { terminalId: "1" });
    await killHard(pid);
    const seen = client.output("1").toString();
    const kept = storedText(folder);
    const found = { isKept: kept.startsWith(seen), isCounted: kept.length >= offset };
    const told = { seed: random.seed, round, seen: seen.length, kept: kept.length };
    expect({ ...told, ...found }).toEqual({ ...told, isKept: true, isCounted: true });
  }
});
