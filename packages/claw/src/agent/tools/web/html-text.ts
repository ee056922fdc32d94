const ENTITIES: Readonly<Record<string, string>> = {
  amp: "&",
  lt: "<",
  gt: ">",
  quot: '"',
  apos: "'",
  nbsp: " ",
  copy: "©",
  reg: "®",
  hellip: "…",
  mdash: "—",
  ndash: "–",
  lsquo: "‘",
  rsquo: "’",
  ldquo: "“",
  rdquo: "”",
  bull: "•",
  middot: "·",
  times: "×",
  rarr: "→",
  larr: "←",
  eacute: "é",
  auml: "ä",
  ouml: "ö",
  uuml: "ü",
  szlig: "ß",
};

const MAX_CODE_POINT = 0x10ffff;

function decodeEntity(whole: string, name: string): string {
  if (!name.startsWith("#")) return ENTITIES[name] ?? whole;
  const code = /^#x/i.test(name) ? Number.parseInt(name.slice(2), 16) : Number.parseInt(name.slice(1), 10);
  const isCharacter = code > 0 && code <= MAX_CODE_POINT && (code < 0xd800 || code > 0xdfff);
  return isCharacter ? String.fromCodePoint(code) : "\uFFFD";
}

const decodeEntities = (text: string): string => text.replaceAll(/&(#x?[0-9a-f]{1,6}|[a-z]{2,8});/gi, decodeEntity);

const wordSet = (words: string): ReadonlySet<string> => new Set(words.split(" "));
/** Elements with content that a page does not show. */
const SILENT = wordSet("script style noscript template svg head iframe object canvas");
const BLOCKS = wordSet(
  "p div section article main header footer nav aside ul ol table tr blockquote pre form figure figcaption dl dt dd hr br h1 h2 h3 h4 h5 h6 li address details summary",
);

const TAG_NAME = /<\/?([a-zA-Z][a-zA-Z0-9-]{0,30})/y;
/** How many characters of a tag's attributes are read. */
const ATTRIBUTE_CHARS = 4096;

interface Tag {
  /** Null for comments and the like. */
  readonly name: string | null;
  readonly isEnd: boolean;
  readonly attributes: string;
  readonly end: number;
}

/**
 * The end of a tag that begins before `from`; the end of the page when the tag has no end. Quoted parts may hold `>`.
 */
function endOfTag(html: string, from: number): number {
  for (let at = from; at < html.length; at += 1) {
    const character = html[at];
    if (character === ">") return at + 1;
    if (character === '"' || character === "'") {
      const quote = html.indexOf(character, at + 1);
      if (quote < 0) return html.length;
      at = quote;
    }
  }
  return html.length;
}

function endAfter(html: string, mark: string, from: number): number {
  const at = html.indexOf(mark, from);
  return at < 0 ? html.length : at + mark.length;
}

/** The tag at `at`; null when the `<` there begins no tag. */
function readTag(html: string, at: number): Tag | null {
  const nameless = { name: null, isEnd: false, attributes: "" };
  if (html.startsWith("<!--", at)) return { ...nameless, end: endAfter(html, "-->", at + 4) };
  if (html[at + 1] === "!" || html[at + 1] === "?") return { ...nameless, end: endAfter(html, ">", at) };
  TAG_NAME.lastIndex = at;
  const name = TAG_NAME.exec(html)?.[1];
  if (name === undefined) return null;
  const start = TAG_NAME.lastIndex;
  const end = endOfTag(html, start);
  const attributes = html.slice(start, Math.min(end - 1, start + ATTRIBUTE_CHARS));
  return { name: name.toLowerCase(), isEnd: html[at + 1] === "/", attributes, end };
}

function opening(name: string): string {
  if (/^h[1-6]$/.test(name)) return `\n\n${"#".repeat(Number(name[1]))} `;
  if (name === "li") return "\n- ";
  if (name === "td" || name === "th") return " | ";
  if (name === "p" || name === "pre" || name === "blockquote") return "\n\n";
  return BLOCKS.has(name) ? "\n" : "";
}

function hrefOf(attributes: string): string | null {
  const [, double, single, bare] = /(?:^|\s)href\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))/i.exec(attributes) ?? [];
  const href = decodeEntities(double ?? single ?? bare ?? "").trim();
  return /^(?:https?:\/\/|\/|\.)/.test(href) ? href : null;
}

/** The end of a silent element; the end of the page when the element has no end tag. */
function endOfSilent(html: string, name: string, from: number): number {
  const end = new RegExp(`</${name}\\s*>`, "gi");
  end.lastIndex = from;
  return end.exec(html) === null ? html.length : end.lastIndex;
}

const plain = (text: string): string => decodeEntities(text.replaceAll(/\s+/g, " "));

/** The text that a tag adds; `links` holds the targets of the open links. */
function spell({ name, isEnd, attributes }: Tag, links: (string | null)[]): string {
  if (name === null) return "";
  if (name !== "a") return isEnd ? (BLOCKS.has(name) ? "\n" : "") : opening(name);
  if (!isEnd) links.push(hrefOf(attributes));
  const href = isEnd ? links.pop() : null;
  return typeof href === "string" ? ` (${href})` : "";
}

/** The text of a page as a person would read it: headings, lists, links, no scripts. Takes linear time. */
export function htmlText(html: string): string {
  const parts: string[] = [];
  const links: (string | null)[] = [];
  let from = 0;
  for (let at = html.indexOf("<"); at >= 0; at = html.indexOf("<", Math.max(from, at + 1))) {
    const tag = readTag(html, at);
    if (tag === null) continue;
    parts.push(plain(html.slice(from, at)), spell(tag, links));
    const isSilent = tag.name !== null && !tag.isEnd && SILENT.has(tag.name) && !tag.attributes.endsWith("/");
    from = isSilent && tag.name !== null ? endOfSilent(html, tag.name, tag.end) : tag.end;
    at = from - 1;
  }
  parts.push(plain(html.slice(from)));
  return tidy(parts.join(""));
}

const tidy = (text: string): string =>
  text
    .split("\n")
    .map((line) => line.replaceAll(/[ \t]+/g, " ").trim())
    .join("\n")
    .replaceAll(/\n{3,}/g, "\n\n")
    .trim();
