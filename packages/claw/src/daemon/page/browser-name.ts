/** Words of a User-Agent header, the more telling first, and their names for people. The header's own text is not shown. */
const BROWSERS: readonly (readonly [RegExp, string])[] = [
  [/\bEdg(?:A|iOS)?\//, "Edge"],
  [/\bOPR\//, "Opera"],
  [/\bSamsungBrowser\//, "Samsung Internet"],
  [/\b(?:Firefox|FxiOS)\//, "Firefox"],
  [/\b(?:Headless)?Chrom(?:e|ium)\/|\bCriOS\//, "Chrome"],
  [/\bSafari\//, "Safari"],
];

const SYSTEMS: readonly (readonly [RegExp, string])[] = [
  [/\biPhone\b/, "iPhone"],
  [/\biPad\b/, "iPad"],
  [/\bAndroid\b/, "Android"],
  [/\bWindows\b/, "Windows"],
  [/\bMac OS X\b/, "macOS"],
  [/\bCrOS\b/, "ChromeOS"],
  [/\bLinux\b/, "Linux"],
];

/** Characters of a User-Agent header that are looked at. */
const AGENT_CHARS = 1000;

/** Names a browser for people: product, operating system, address. */
export function browserName(userAgent: string | undefined, address: string | undefined): string {
  const text = (userAgent ?? "").slice(0, AGENT_CHARS);
  const nameIn = (rows: typeof BROWSERS): string | undefined => rows.find(([words]) => words.test(text))?.[1];
  const browser = nameIn(BROWSERS) ?? "a browser";
  const system = nameIn(SYSTEMS);
  const from = (address ?? "").replace(/^::ffff:/, "");
  return `${browser}${system === undefined ? "" : ` on ${system}`}${from === "" ? "" : `, ${from}`}`;
}
