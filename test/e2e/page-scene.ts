import type { Browser, Page } from "playwright-core";
import type { Person } from "./browser.ts";
import { newPerson, startBrowser } from "./browser.ts";
import { clawJson } from "./run-claw.ts";
import type { WorkerScene } from "./worker-scene.ts";
import { openScene } from "./worker-scene.ts";

/** A daemon with fake agents, and a person who looks at its page. */
export interface PageScene extends WorkerScene {
  readonly browser: Browser;
  readonly person: Person;
  readonly page: Page;
  /** Opens the page for another person. */
  readonly another: (...flags: string[]) => Promise<Person>;
  /** Shows a part of the page, by what stands behind `#/`. */
  readonly show: (route: string) => Promise<void>;
}

export async function openPageScene(...flags: string[]): Promise<PageScene> {
  const [scene, browser] = await Promise.all([openScene(), startBrowser()]);
  const another = async (...more: string[]): Promise<Person> => {
    const { url } = await clawJson(scene.workspace, ["dashboard", "--no-open", ...more]);
    const person = await newPerson(browser);
    await person.page.goto(String(url));
    await person.page.waitForSelector("text=live");
    return person;
  };
  const person = await another(...flags);
  const { page } = person;
  const show = async (route: string): Promise<void> => {
    await page.evaluate(`location.hash = ${JSON.stringify(`#/${route}`)}`);
    await page.waitForSelector("main > *");
  };
  return { ...scene, browser, person, page, another, show };
}

/** Resolves once a text is on the page. */
export const sees = (page: Page, text: string): Promise<void> =>
  page.getByText(text, { exact: false }).first().waitFor();
