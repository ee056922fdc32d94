import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import { startChromium } from "../../packages/client/src/testing/chromium.ts";
import type { Person } from "./browser.ts";
import { newPerson } from "./browser.ts";
import { clawJson } from "./run-claw.ts";
import type { WorkerScene } from "./worker-scene.ts";
import { openScene } from "./worker-scene.ts";

/** A daemon with fake agents, and a person who looks at its page. */
export interface PageScene extends WorkerScene {
  readonly browser: Browser;
  readonly person: Person;
  readonly page: Page;
  /** Opens the page for another person, with flags of `claw dashboard`. */
  readonly another: (flags?: readonly string[], options?: BrowserContextOptions) => Promise<Person>;
  /** Shows a part of the page, by what stands behind `#/`. */
  readonly show: (route: string) => Promise<void>;
}

/** Shows a part of a page. */
export async function showIn(page: Page, route: string): Promise<void> {
  await page.evaluate(`location.hash = ${JSON.stringify(`#/${route}`)}`);
  await page.waitForSelector("main > *");
}

interface SceneFlags {
  /** Flags of `claw up`. */
  readonly daemon?: readonly string[];
  /** Flags of `claw dashboard`. */
  readonly page?: readonly string[];
}

export async function openPageScene(flags: SceneFlags = {}): Promise<PageScene> {
  const [scene, browser] = await Promise.all([openScene(...(flags.daemon ?? [])), startChromium()]);
  const another: PageScene["another"] = async (more = [], options = {}) => {
    const { url } = await clawJson(scene.workspace, ["dashboard", "--no-open", ...more]);
    const person = await newPerson(browser, options);
    await person.page.goto(String(url));
    await isLive(person.page);
    return person;
  };
  const person = await another(flags.page);
  const { page } = person;
  return { ...scene, browser, person, page, another, show: (route) => showIn(page, route) };
}

/** Resolves once the page is connected. */
export const isLive = (page: Page): Promise<void> => page.getByRole("status", { name: "Connection: live" }).waitFor();

/** Resolves once a text is on the page. */
export const sees = (page: Page, text: string): Promise<void> =>
  page.getByText(text, { exact: false }).filter({ visible: true }).first().waitFor();

/** What the daemon sends to a page, held back between `hold` and `release`. */
export interface HeldWire {
  hold(): void;
  /** Lets frames through up to the first one that has this text. */
  releaseUntil(text: string): void;
  release(): void;
}

/** Loads the page anew with a wire that can be held back. */
export async function holdBack(page: Page): Promise<HeldWire> {
  const held: { readonly text: string; readonly send: () => void }[] = [];
  const state = { isHeld: false, upTo: "" };
  const letGo = (): void => {
    const at = held.findIndex(({ text }) => text.includes(state.upTo));
    for (const { send } of held.splice(0, at === -1 ? held.length : at + 1)) send();
    if (at !== -1) state.upTo = "";
  };
  await page.routeWebSocket(/\/socket$/, (socket) => {
    const daemon = socket.connectToServer();
    daemon.onMessage((message) => {
      if (!state.isHeld) return socket.send(message);
      held.push({ text: String(message), send: () => socket.send(message) });
      if (state.upTo !== "") letGo();
      return undefined;
    });
  });
  await page.reload();
  return {
    hold: () => void (state.isHeld = true),
    releaseUntil: (text) => {
      state.upTo = text;
      letGo();
    },
    release: () => {
      state.isHeld = false;
      for (const { send } of held.splice(0)) send();
    },
  };
}
