// A program in a terminal, as agents are: it edits a line, marks pastes, and behaves well or badly by its first argument.
// Everything it is given is kept, as bytes, in the file that is its second; the third, where it waits for one, is the
// file whose coming lets it begin to read.
import { appendFileSync, existsSync, watch, writeFileSync } from "node:fs";
import { dirname } from "node:path";

const [mode = "composer", record = "/dev/null", release] = process.argv.slice(2);
const PASTE = ["\u001b[200~", "\u001b[201~"];
const cooked = mode.startsWith("cooked");
const spins = mode.endsWith("-spinner");
let text = "";
let pending = "";
let pasting = false;
let frame = 0;

writeFileSync(record, "");
const print = (out) => process.stdout.write(out);
const shown = () => {
  if (mode === "twice") return text + text;
  if (mode === "masked") return "*".repeat(text.length);
  if (mode === "placeholder" && text.includes("\n")) return `[Pasted text #1 +${text.split("\n").length - 1} lines]`;
  return text.replaceAll("\n", "\r\n  ");
};

function draw() {
  const spinner = spins ? `${"|/-\\"[frame++ % 4]} working\r\n` : "";
  const below = mode.startsWith("parked") ? "\r\n-- ready --\r\n" : "";
  print(`\u001b[2J\u001b[H${spinner}> ${shown()}${below}`);
}

function submit() {
  if (mode.startsWith("eats-enter") || mode === "parked-eats-enter") return;
  if (mode === "newline") text += "\n";
  else {
    print(`\r\ntook ${JSON.stringify(text)}\r\n`);
    text = "";
    print("> ");
    appendFileSync(`${record}.took`, "x");
    return;
  }
  draw();
}

function take(piece) {
  text += piece;
  if (mode === "exits") process.exit(3);
  if (mode === "delayed") setTimeout(draw, 1500);
  else draw();
}

const press = (key) => (key === "\r" ? submit() : take(key));

/** Splits what came into pastes, keys and plain text. */
function feed(chunk) {
  pending += chunk;
  while (pending !== "") {
    const mark = PASTE[pasting ? 1 : 0];
    const at = pending.indexOf(mark);
    const end = at < 0 ? pending.length : at;
    const piece = pending.slice(0, end);
    if (pasting && at < 0) return;
    pending = at < 0 ? "" : pending.slice(at + mark.length);
    if (at >= 0) pasting = !pasting;
    if (mark === PASTE[1]) take(piece);
    else for (const key of piece) press(key);
  }
}

function read() {
  if (!cooked) process.stdin.setRawMode(true);
  process.stdin.on("data", (bytes) => {
    appendFileSync(record, bytes);
    if (cooked) print(`got ${bytes.toString()}\r\n`);
    else feed(bytes.toString());
  });
  process.stdin.resume();
}

function whenReleased(begin) {
  if (release === undefined || existsSync(release)) return begin();
  const watching = watch(dirname(release), () => {
    if (!existsSync(release)) return;
    watching.close();
    begin();
  });
  if (existsSync(release)) {
    watching.close();
    begin();
  }
}

if (!cooked) {
  process.stdin.setRawMode(true);
  process.stdin.pause();
  print("\u001b[?2004h");
  draw();
} else print("ready\r\n");
if (spins) setInterval(() => draw(), 60);
if (mode === "cooked-chatty") setInterval(() => print(`progress ${(frame += 1)}\r\n`), 20);
setInterval(() => undefined, 1000);
if (mode !== "cooked-deaf" && mode !== "cooked-chatty") whenReleased(read);
print(cooked ? "" : "\u001b]0;up\u0007");
