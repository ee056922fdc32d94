import { effect } from "@preact/signals";
import type { Need } from "claw-contract";
import { inertLine } from "../text/inert.ts";
import type { Page } from "./page.ts";
import { viewHash } from "./route.ts";

const NOTE_CHARS = 120;

/** The title: how many things wait, and the first of them. */
export function titleOf(needs: readonly Pick<Need, "name" | "text">[], workspace: string): string {
  const [first] = needs;
  const place = workspace === "" ? "claw" : `${inertLine(workspace.split("/").at(-1) ?? "", 40)} · claw`;
  return first === undefined ? place : `(${needs.length}) ${inertLine(`${first.name}: ${first.text}`, 80)} · ${place}`;
}

export const needKey = ({ kind, peerId, approvalId, text }: Need): string =>
  [kind, peerId, approvalId ?? text].join(" ");

function notify(need: Need): void {
  const body = inertLine(need.text, NOTE_CHARS);
  const note = new Notification(`${inertLine(need.name, 60)} needs you`, { body, tag: needKey(need) });
  note.addEventListener("click", () => {
    window.focus();
    location.hash = viewHash("needs", { need: needKey(need) });
    note.close();
  });
}

/** Keeps the title current, and notifies the person of each new need once while the page is hidden. */
export function watchAttention({ needs, settings, store }: Page): void {
  let known: ReadonlySet<string> | null = null;
  effect(() => {
    document.title = titleOf(needs.value, store.session.value?.workspace ?? "");
  });
  effect(() => {
    if (store.moment.value === null || store.past.value !== null) return;
    const now = new Set(needs.value.map(needKey));
    const before = known;
    known = now;
    if (before === null || !settings.notifies.value || document.visibilityState === "visible") return;
    for (const need of needs.value) if (!before.has(needKey(need))) notify(need);
  });
}
