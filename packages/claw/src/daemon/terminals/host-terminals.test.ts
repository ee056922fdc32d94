import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import type { ClosedTerminal, SettleFact } from "../../bus/index.ts";
import { terminalsConformance } from "../../bus/terminals/terminals.conformance.ts";
import { joinSignals } from "../../process/index.ts";
import { startTestHost } from "../../terminals/testing/start-test-host.ts";
import { HostTerminals } from "./host-terminals.ts";

const limit = (): AbortSignal => joinSignals({ timeoutMs: 100_000 }).signal;

/** Keeps every text it is given, up to its Enter, in a file; `quit` ends it. */
const KEEPER = `
const { appendFileSync } = require("fs");
process.stdin.setRawMode(true);
let rest = "";
process.stdin.on("data", (bytes) => {
  rest += bytes.toString();
  const texts = rest.split("\\r");
  rest = texts.pop();
  for (const text of texts) {
    const plain = text.replace("\\x1b[200~", "").replace("\\x1b[201~", "");
    if (plain === "quit") process.exit(0);
    appendFileSync(process.argv[1], JSON.stringify(plain) + "\\n");
    process.stdout.write("took one\\n");
  }
});
process.stdout.write("ready\\n");
`;

async function startTerminals() {
  const host = await startTestHost();
  (await host.connect()).close();
  return { folder: host.folder, terminals: await attach(host.folder) };
}

/** What a daemon that starts does. */
async function attach(folder: string, told: (closed: ClosedTerminal, settle: SettleFact) => void = () => undefined) {
  const terminals = new HostTerminals({
    folder,
    daemonSocket: join(folder, "claws.sock"),
    argv: ["/bin/false"],
    env: process.env,
    report: () => undefined,
  });
  terminals.onClosed(told);
  await terminals.reattach();
  await terminals.follow();
  onTestFinished(() => terminals.detach());
  return terminals;
}

/** Resolves when a terminal has put out so many lines. */
async function whenLines(terminals: HostTerminals, id: string, lines: number): Promise<void> {
  for (let offset = 0; ;) {
    const { bytes } = await terminals.read(id, { offset: 0, limit: 100_000 });
    if (Buffer.from(bytes).toString().split("\n").length > lines) return;
    offset = await terminals.whenOutput(id, offset, limit());
  }
}

describe("terminals of a host", () => {
  terminalsConformance(async () => {
    const { folder, terminals } = await startTerminals();
    let opened = 0;
    const fileOf = (id: string): string => join(folder, `texts-${id}`);
    return {
      terminals,
      openTerminal: async (correlationId) => {
        const terminalId = String((opened += 1));
        const argv = [process.execPath, "-e", KEEPER, fileOf(terminalId)];
        await terminals.create({ terminalId, name: "keeper", argv, correlationId });
        await whenLines(terminals, terminalId, 1);
        return terminalId;
      },
      taken: async (id, count) => {
        await whenLines(terminals, id, count + 1);
        const lines = readFileSync(fileOf(id), "utf8").trimEnd().split("\n");
        return lines.map((line) => JSON.parse(line) as string);
      },
      endProgram: async (id) => {
        const closed = new Promise<void>((resolve) => void terminals.onClosed(() => resolve()));
        await terminals.inject(id, "quit", { paste: false });
        await closed;
      },
    };
  });

  test("shows screens, also of closed ones, and says when they are not exact", async () => {
    const { terminals } = await startTerminals();
    const program = "printf '\\033[2J\\033[3;5Hhere\\033[1;1H日本'; read x";
    await terminals.create({ terminalId: "1", name: "s", argv: ["/bin/sh", "-c", program], cols: 20, rows: 5 });
    for (let offset = 0; offset < 20;) offset = await terminals.whenOutput("1", offset, limit());
    const seen = await terminals.screen("1");
    expect(seen).toMatchObject({
      text: "日本\n\n    here",
      cursor: { x: 4, y: 0 },
      cols: 20,
      rows: 5,
      exact: true,
      offset: await terminals.offset("1"),
    });
    await terminals.resize("1", 40, 6);
    expect(await terminals.screen("1")).toMatchObject({ cols: 40, rows: 6, text: "日本\n\n    here" });
    await terminals.close("1", "user");
    expect(await terminals.screen("1")).toMatchObject({ text: "日本\n\n    here", exact: true });
    await expect(terminals.screen("7")).rejects.toMatchObject({ code: "TERMINAL_NOT_FOUND" });
  });

  test("waits for output, and no longer than its signal or the terminal last", async () => {
    const { terminals } = await startTerminals();
    await terminals.create({ terminalId: "1", name: "s", argv: ["/bin/cat"] });
    const stop = new AbortController();
    const waiting = terminals.whenOutput("1", 1000, stop.signal);
    const doomed = terminals.whenOutput("1", 1000, new AbortController().signal);
    stop.abort(new Error("enough"));
    await expect(waiting).rejects.toThrow("enough");
    await terminals.write("1", Buffer.from("x\r"));
    expect(await terminals.whenOutput("1", 0, limit())).toBeGreaterThan(0);
    const [outcome] = await Promise.allSettled([doomed, terminals.close("1", "user")]);
    expect(outcome).toMatchObject({ status: "rejected", reason: { code: "TERMINAL_NOT_FOUND" } });
  });

  test("refuses input that nobody reads, beyond a limit", async () => {
    const { terminals } = await startTerminals();
    const raw = "stty raw -echo; echo ready; exec sleep 100";
    await terminals.create({ terminalId: "1", name: "s", argv: ["/bin/sh", "-c", raw] });
    await whenLines(terminals, "1", 1);
    const huge = Buffer.alloc(700_000, "x");
    const outcomes = Promise.allSettled([terminals.write("1", huge), terminals.write("1", huge)]);
    await terminals.offset("1");
    await terminals.close("1", "user");
    expect(await outcomes).toMatchObject([{ status: "rejected" }, { reason: { code: "TERMINAL_BUSY" } }]);
  });

  test("are found again by the next daemon, which is told of what closed until it has written it down", async () => {
    const { folder, terminals } = await startTerminals();
    const stays = await terminals.create({ terminalId: "1", name: "stays", argv: ["/bin/cat"], workerId: "p_1" });
    const program = "echo ready; read x; exit 5";
    await terminals.create({ terminalId: "2", name: "ends", argv: ["/bin/sh", "-c", program], correlationId: "c" });
    await whenLines(terminals, "2", 1);
    await terminals.write("2", Buffer.from("\r"));
    terminals.detach();
    for (const stored of [false, true]) {
      const heard: [ClosedTerminal, SettleFact][] = [];
      const daemon = await attach(folder, (...closed) => void heard.push(closed));
      while (heard.length === 0) await daemon.offset("1");
      const about = { terminalId: "2", origin: "user", correlationId: "c", exitCode: 5 };
      expect(heard).toMatchObject([[about, expect.any(Function)]]);
      heard[0]?.[1]?.(stored);
      // Answered after what was said before.
      for (let asked = 0; asked < 2; asked += 1) await daemon.offset("1");
    }
    const told: ClosedTerminal[] = [];
    const last = await attach(folder, (closed) => void told.push(closed));
    expect(last.find("1")).toEqual(stays);
    expect(last.open()).toEqual(["1"]);
    await last.close("1", "user");
    expect(told.map(({ terminalId }) => terminalId)).toEqual(["1"]);
    expect(Buffer.from((await last.read("2", { limit: 100 })).bytes).toString()).toContain("ready");
  });
});
