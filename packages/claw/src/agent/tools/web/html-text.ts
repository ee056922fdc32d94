import type { TokenizerCallbacks } from "htmlparser2";
import { Tokenizer } from "htmlparser2";

const wordSet = (words: string): ReadonlySet<string> => new Set(words.split(" "));
/** Elements with content that a page does not show. */
const SILENT = wordSet("script style noscript template svg head iframe object canvas");
const BLOCKS = wordSet(
  "p div section article main header footer nav aside ul ol table tr blockquote pre form figure figcaption dl dt dd hr br h1 h2 h3 h4 h5 h6 li address details summary",
);

function opening(name: string): string {
  if (/^h[1-6]$/.test(name)) return `\n\n${"#".repeat(Number(name[1]))} `;
  if (name === "li") return "\n- ";
  if (name === "td" || name === "th") return " | ";
  if (name === "p" || name === "pre" || name === "blockquote") return "\n\n";
  return BLOCKS.has(name) ? "\n" : "";
}

const linkTo = (href: string): string => (/^(?:https?:\/\/|\/|\.)/.test(href) ? ` (${href})` : "");

const ignore = (): void => undefined;

/** Collects the text of a page from its tokens. */
class PageText implements TokenizerCallbacks {
  readonly parts: string[] = [];
  readonly #html: string;
  /** Targets of the open links. */
  readonly #links: string[] = [];
  #name = "";
  #href = "";
  #isHref = false;
  /** The element whose content is skipped; null outside of such an element. */
  #silent: string | null = null;
  readonly oncdata = ignore;
  readonly oncomment = ignore;
  readonly ondeclaration = ignore;
  readonly onprocessinginstruction = ignore;
  readonly onend = ignore;

  constructor(html: string) {
    this.#html = html;
  }

  onopentagname(start: number, end: number): void {
    this.#name = this.#nameAt(start, end);
    this.#href = "";
  }

  onattribname(start: number, end: number): void {
    this.#isHref = this.#href === "" && this.#nameAt(start, end) === "href";
  }

  onattribdata(start: number, end: number): void {
    if (this.#isHref) this.#href += this.#html.slice(start, end);
  }

  onattribentity(code: number): void {
    if (this.#isHref) this.#href += String.fromCodePoint(code);
  }

  onattribend(): void {
    this.#isHref = false;
  }

  onopentagend(): void {
    this.onselfclosingtag();
    if (SILENT.has(this.#name)) this.#silent ??= this.#name;
  }

  onselfclosingtag(): void {
    if (this.#silent !== null) return;
    if (this.#name === "a") this.#links.push(linkTo(this.#href.trim()));
    this.parts.push(opening(this.#name));
  }

  onclosetag(start: number, end: number): void {
    const name = this.#nameAt(start, end);
    if (this.#silent === null) this.parts.push(name === "a" ? (this.#links.pop() ?? "") : BLOCKS.has(name) ? "\n" : "");
    if (name === this.#silent) this.#silent = null;
  }

  ontext(start: number, end: number): void {
    this.#say(this.#html.slice(start, end));
  }

  ontextentity(code: number): void {
    this.#say(String.fromCodePoint(code));
  }

  #say(text: string): void {
    if (this.#silent === null) this.parts.push(text.replaceAll(/\s+/g, " "));
  }

  #nameAt(start: number, end: number): string {
    return this.#html.slice(start, end).toLowerCase();
  }
}

/**
 * The text of a page as a person would read it: headings, lists, links, no scripts. Takes linear time: the package's
 * parser, which keeps a stack of the open elements, does not.
 */
export function htmlText(html: string): string {
  const page = new PageText(html);
  const tokenizer = new Tokenizer({}, page);
  tokenizer.write(html);
  tokenizer.end();
  return tidy(page.parts.join(""));
}

const tidy = (text: string): string =>
  text
    .split("\n")
    .map((line) => line.replaceAll(/[ \t]+/g, " ").trim())
    .join("\n")
    .replaceAll(/\n{3,}/g, "\n\n")
    .trim();
