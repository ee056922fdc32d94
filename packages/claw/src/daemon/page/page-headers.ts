import { createHash } from "node:crypto";

const NONE = "'none'";
const SELF = "'self'";

/**
 * Nothing that an agent prints can run as a script, load or send anything, or stand in a frame. Trusted Types refuse
 * every text that would become markup.
 */
const POLICY: Readonly<Record<string, string>> = {
  "default-src": NONE,
  "script-src": SELF,
  "style-src": SELF,
  "img-src": `${SELF} data:`,
  "font-src": SELF,
  "connect-src": SELF,
  "worker-src": SELF,
  "manifest-src": SELF,
  "base-uri": NONE,
  "form-action": NONE,
  "frame-ancestors": NONE,
  "require-trusted-types-for": "'script'",
  "trusted-types": NONE,
};

const print = (policy: Readonly<Record<string, string>>): string =>
  Object.entries(policy)
    .map(([name, value]) => `${name} ${value}`)
    .join("; ");

const DENIED_FEATURES = ["camera", "microphone", "geolocation", "display-capture", "usb", "serial", "clipboard-read"];

/** Headers of every answer of the page's addresses. */
const COMMON = {
  "x-content-type-options": "nosniff",
  "referrer-policy": "no-referrer",
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
  "x-frame-options": "DENY",
  "permissions-policy": DENIED_FEATURES.map((feature) => `${feature}=()`).join(", "),
} as const;

/** Headers of the page's own files. */
export const FILE_HEADERS = { ...COMMON, "content-security-policy": print(POLICY) } as const;

/** Headers of a notice, which runs no script and holds one style. */
export function noticeHeaders(style: string): Readonly<Record<string, string>> {
  const digest = createHash("sha256").update(style).digest("base64");
  const policy = { "default-src": NONE, "style-src": `'sha256-${digest}'`, "base-uri": NONE, "form-action": NONE };
  return {
    ...COMMON,
    "content-security-policy": print({ ...policy, "frame-ancestors": NONE }),
    "content-type": "text/html; charset=utf-8",
    "cache-control": "no-store",
  };
}
