import { expect, test } from "vitest";
import { PLAIN_PAINT } from "../../runtime/paint.ts";
import { qrText } from "./qr/qr-text.ts";
import type { ShownLink } from "./show-link.ts";
import { showLink } from "./show-link.ts";

const URL = "https://192.168.1.5:8443/aaaaaaaaaaaaaaaa/enter?code=bbbbbbbbbbbbbbbbbbbbbb";
const LINK: ShownLink = {
  url: URL,
  urls: [URL, "https://10.0.0.5:8443/aaaaaaaaaaaaaaaa/enter?code=bbbbbbbbbbbbbbbbbbbbbb"],
  expires_at: "2026-01-01T00:10:00.000Z",
  role: "observer",
  public: true,
  opened: false,
  effect: "created",
};

const terminal = { ...PLAIN_PAINT, columns: 80 };
const code = qrText(URL, { columns: 80, isColoured: false });

test("a terminal shows a link that other machines can open as a code for the phone, below its addresses", () => {
  expect(code.split("\n").length).toBeGreaterThan(10);
  const shown = showLink(LINK, terminal);
  expect(shown.startsWith([...(LINK.urls ?? []), code].join("\n"))).toBe(true);
  expect(shown).toContain("Scan it with the phone, or open the link in a browser.");
  expect(shown).toMatch(/Valid until \d\d:\d\d for one browser, which sees everything and changes nothing\.$/);
});

test("there is no code where it would not fit, is no help, or where no person reads", () => {
  const here = { ...LINK, public: false, url: "http://127.0.0.1:8443/aaaa/enter?code=b", urls: null };
  expect(showLink(here, terminal)).not.toMatch(/[▀▄█]/);
  expect(showLink(here, terminal)).toContain("ssh -L 8443:127.0.0.1:8443 HOST");
  expect(showLink({ ...here, opened: true }, terminal)).toContain("Opened in your browser.");
  expect(showLink(LINK, PLAIN_PAINT)).not.toMatch(/[▀▄█]/);
  expect(showLink(LINK, { ...terminal, columns: 30 })).not.toMatch(/[▀▄█]/);
});

test("a link that is not made, or was made before, is not shown", () => {
  expect(showLink({ ...LINK, url: null, urls: null, effect: "would_create" }, terminal)).toContain("Would make");
  expect(showLink({ ...LINK, url: null, urls: null, effect: "noop" }, terminal)).toContain("Make another");
});
