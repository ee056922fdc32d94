import { trimEndOf } from "@claw/contract";

/** U+2400 and on: pictures of the control characters, in their order. */
const PICTURES = 0x2400;
const DELETE = 0x7f;
const DELETE_PICTURE = "\u2421";

/**
 * A control character as something to look at. Nothing is left that a terminal or the program in it would act upon:
 * without an escape character no paste can end early, however the rest of its end is spelt, split or nested. Those
 * of the eighth bit have no pictures.
 */
function picture(control: string): string {
  const code = control.charCodeAt(0);
  if (code === DELETE) return DELETE_PICTURE;
  return code < DELETE ? String.fromCharCode(PICTURES + code) : "\ufffd";
}

const withPictures = (text: string): string => text.replaceAll(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g, picture);

/** A text that is safe within a bracketed paste: line ends and tabs stay, those at its end do not. */
export const inertPaste = (text: string): string =>
  trimEndOf(withPictures(text.replaceAll(/\r\n?/g, "\n")).replaceAll(/[\u2028\u2029]/g, "\n"), "\n\t ");

/** A text that is safe to type where every line end would enter what is there so far: as one line. */
export const inertLine = (text: string): string => inertPaste(text).replaceAll(/[\n\t]+/g, " ");

/** What is pressed after it, in a write of its own. */
export const ENTER = "\r";

export const bracketed = (paste: string): string => `\u001b[200~${paste}\u001b[201~`;
