interface Judged {
  toWellFormed(): string;
}

/**
 * The text without halves of characters, which a cut may leave behind: providers refuse a request that holds one, and
 * then every later request of the same conversation.
 */
export const wellFormed = (text: string): string => (text as string & Judged).toWellFormed();
