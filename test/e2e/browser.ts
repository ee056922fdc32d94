import type { Browser, BrowserContext, BrowserContextOptions, Page } from "playwright-core";

/** A person with cookies and tabs of their own. */
export interface Person {
  readonly context: BrowserContext;
  readonly page: Page;
  /** Errors of scripts, refusals by the policy, and errors on the console, which a test expects to be none. */
  readonly problems: string[];
}

/** What a browser says on its console when a daemon is away. The page itself says it to the person. */
const UNREACHABLE = /ERR_CONNECTION_REFUSED|ERR_CONNECTION_RESET|ERR_EMPTY_RESPONSE|WebSocket connection to/;
/** The answer to a session that was ended. */
const SIGNED_OUT = /status of 40[13]/;

export async function newPerson(browser: Browser, options: BrowserContextOptions = {}): Promise<Person> {
  const context = await browser.newContext(options);
  const page = await context.newPage();
  const problems: string[] = [];
  page.on("pageerror", (error) => problems.push(error.message));
  page.on("console", (message) => {
    const text = message.text();
    const isTold =
      message.type() === "error" || message.type() === "warning" || text.includes("Content Security Policy");
    if (isTold && !UNREACHABLE.test(text) && !SIGNED_OUT.test(text)) problems.push(text);
  });
  return { context, page, problems };
}
