import { execFile } from "node:child_process";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import type { Browser, Page } from "playwright-core";
import { loadPty } from "../../packages/claw/src/terminals/pty/load-pty.ts";
import { openPty } from "../../packages/claw/src/terminals/pty/open-pty.ts";

const BINARY = fileURLToPath(new URL("../../packages/claw/bin/claw.cjs", import.meta.url));
const LOOK_MS = 50;

/** The demonstration, and its page in a browser. */
export interface DemoScene {
  readonly page: Page;
  /** Shows a part of the page, by what stands behind `#/`. */
  show(route: string): Promise<void>;
  /** The id of one of the demonstration's workers. */
  idOf(name: string): string;
  /** Allows on the page what an agent asks. */
  approve(): Promise<void>;
  /** Resolves when the demonstration waits for a key to end. */
  untilOver(): Promise<void>;
  /** Starts an agent in a terminal beside the demonstration's. Resolves with its id. */
  openTerminal(): Promise<string>;
  /** Ends the demonstration. */
  close(): Promise<void>;
}

interface Played {
  /** Resolves with the match of what the demonstration has printed. */
  prints(what: RegExp): Promise<RegExpExecArray>;
  end(): Promise<void>;
}

/** Plays the demonstration on a terminal, so that its questions wait for a person. */
function playDemo(env: Readonly<Record<string, string>>, cwd: string): Played {
  const state = { text: "", isOver: false };
  const argv = [process.execPath, BINARY, "demo", "--no-open"] as const;
  const pty = openPty(
    loadPty().library,
    { argv, cwd, env, cols: 200, rows: 50 },
    { output: (bytes) => (state.text += bytes.toString("utf8")), exit: () => (state.isOver = true) },
  );
  const prints: Played["prints"] = async (what) => {
    for (;;) {
      const match = what.exec(state.text);
      if (match !== null) return match;
      if (state.isOver) throw new Error(`the demonstration ended without ${String(what)}:\n${state.text}`);
      await setTimeout(LOOK_MS);
    }
  };
  return {
    prints,
    end: async () => {
      // Before the story is over, only Ctrl-C ends it.
      if (!state.isOver) await pty.write(Buffer.from(state.text.includes("to leave") ? "q" : "\u0003"));
      while (!state.isOver) await setTimeout(LOOK_MS);
    },
  };
}

type Answer = Readonly<Record<string, unknown>>;

/** Plays the demonstration in an empty folder, opens its page, and waits until only the question is left. */
export async function openDemoScene(browser: Browser, folder: string): Promise<DemoScene> {
  const env = { PATH: process.env["PATH"] ?? "", HOME: folder, TMPDIR: folder, TERM: "xterm-256color", TZ: "UTC" };
  const demo = playDemo(env, folder);
  const [url] = await demo.prints(/http:\/\/127\.0\.0\.1:\d+\/[\w-]+\/enter\?code=[\w-]+/);
  const place = readdirSync(folder).find((name) => name.startsWith("claw-demo-")) ?? "";
  const claw = async (...args: string[]): Promise<Answer> => {
    const options = { cwd: join(folder, place, "prices"), env };
    const { stdout } = await promisify(execFile)(
      process.execPath,
      [BINARY, ...args, "--output-format", "json"],
      options,
    );
    return JSON.parse(stdout) as Answer;
  };
  const context = await browser.newContext({ timezoneId: "UTC", locale: "en-GB", deviceScaleFactor: 2 });
  const page = await context.newPage();
  await page.goto(url);
  await page.getByText("live").first().waitFor();
  await demo.prints(/(?:verified: [^]*){3}Enter allows it/);
  const { workers } = await claw("ps", "--all");
  const ids = new Map((workers as { name: string; peer_id: string }[]).map(({ name, peer_id: id }) => [name, id]));
  return {
    page,
    show: async (route) => {
      await page.evaluate(`location.hash = ${JSON.stringify(`#/${route}`)}`);
      await page.locator("main > *").first().waitFor();
    },
    idOf: (name) => ids.get(name) ?? "",
    approve: () => page.getByRole("button", { name: /^Approve/ }).click(),
    untilOver: async () => void (await demo.prints(/Press q or Enter to leave/)),
    openTerminal: async () => {
      const agent = ["--harness", "fake", "--interactive", "--scenario", "tools", "--name", "review"];
      return String((await claw("spawn", ...agent, "Look through the last commit"))["peer_id"]);
    },
    close: async () => {
      await context.close();
      await demo.end();
    },
  };
}
