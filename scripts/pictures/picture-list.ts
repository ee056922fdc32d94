import type { Page } from "playwright-core";
import type { DemoScene } from "./demo-scene.ts";

/** A picture for the documentation, taken of the page while the demonstration runs. */
export interface DocPicture {
  /** Name of the file in `docs/pictures`, without its ending. */
  readonly name: string;
  readonly theme: "light" | "dark";
  readonly size: "desktop" | "phone";
  /** Leads the page to what the picture shows. Resolves when it is there. */
  readonly prepare: (page: Page, scene: DemoScene) => Promise<void>;
}

const desktop = (name: string, prepare: DocPicture["prepare"], theme: DocPicture["theme"] = "light"): DocPicture => ({
  name,
  theme,
  size: "desktop",
  prepare,
});

/** Drags the slider of the timeline to a share of its way. */
const DRAG_BACK = `{
  const slider = document.querySelector(".scrubber input");
  slider.value = String(Number(slider.min) + (Number(slider.max) - Number(slider.min)) * 0.35);
  slider.dispatchEvent(new Event("input", { bubbles: true }));
}`;

/** The pictures in the order in which they are taken: first while an agent asks, then after the answer. */
export const PICTURES: readonly DocPicture[] = [
  desktop("workers", (_page, scene) => scene.show("workers")),
  desktop("needs-you", (_page, scene) => scene.show("needs")),
  { name: "phone", theme: "dark", size: "phone", prepare: (_page, scene) => scene.show("needs") },
  desktop("answered", async (page, scene) => {
    await scene.show("needs");
    await scene.approve();
    await page.locator(".ladder .reached", { hasText: "applied" }).waitFor();
    await scene.untilOver();
    await page.getByRole("heading", { name: "The old build is gone." }).waitFor();
    await page.locator(".card-closed .ladder").scrollIntoViewIfNeeded();
  }),
  desktop("transcript", async (page, scene) => {
    await scene.show(`worker/${scene.idOf("rounding")}/transcript`);
    await page.getByText("1 test passed").or(page.getByText("node --test test/")).first().waitFor();
    await page.locator("details.tool summary").first().click();
  }),
  desktop("changes", async (page, scene) => {
    await scene.show(`worker/${scene.idOf("rounding")}/changes`);
    await page.locator(".line-add .line-number").first().click();
    await page.getByLabel("Comment on this line").fill("Round the sum, not each price.");
  }),
  desktop("checks", async (page, scene) => {
    await scene.show(`worker/${scene.idOf("rounding")}/checks`);
    await page.locator(".check").first().waitFor();
  }),
  desktop("timeline", async (page, scene) => {
    await scene.show("timeline");
    await page.evaluate(DRAG_BACK);
    const second = (await page.locator(".scrubber .lane-name", { hasText: ":" }).textContent())?.split(".")[0] ?? "";
    await page.getByText("The page shows").filter({ hasText: second }).waitFor();
  }),
  desktop("events", async (page, scene) => {
    await page.getByRole("button", { name: "Forward to live" }).click();
    await scene.show(`events?worker=${scene.idOf("cleanup")}`);
    await page.locator(".event", { hasText: "Bash: rm -rf build" }).first().click();
    await page.locator(".event-detail").waitFor();
  }),
  desktop(
    "cost",
    async (page, scene) => {
      await scene.show("cost");
      await page.locator(".chart canvas").waitFor();
    },
    "dark",
  ),
  desktop(
    "terminal",
    async (page, scene) => {
      await scene.show(`worker/${await scene.openTerminal()}/terminal`);
      await page.getByText("? for shortcuts").first().waitFor();
    },
    "dark",
  ),
];
