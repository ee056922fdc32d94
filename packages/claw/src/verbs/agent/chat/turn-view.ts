import { cutToWidth } from "../../text/text-width.ts";
import { blockText, oneLine } from "claw-contract";
import type { AnyTool, TurnEvent } from "../../../agent/index.ts";
import { count } from "../../runs/run-report.ts";
import { duration } from "../../text/times.ts";
import type { Screen, Style } from "../../runtime/screen.ts";
import { MarkdownStream } from "./markdown-stream.ts";
import { plainLines } from "../../text/text-layout.ts";
import { resultLines } from "./result-lines.ts";
import { callLine, toolSubjectOf } from "./tool-lines.ts";
import { WordWrap } from "../../text/word-wrap.ts";

const TICK_MS = 100;
const MAX_THOUGHT = 160;
const FRAMES = ["⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧", "⠇", "⠏"] as const;

/** Kinds of output. An empty line separates output of different kinds. */
type Section = "text" | "calls" | "notes";

/** Shows a turn on a screen while it runs: text as it comes, a line for each call, a line about what goes on. */
export class TurnView {
  readonly #screen: Screen;
  readonly #tools: () => readonly AnyTool[];
  readonly #startedAt = performance.now();
  readonly #timer: NodeJS.Timeout;
  readonly #denied = new Set<string>();
  readonly #markdown = new MarkdownStream();
  readonly #wrap: WordWrap;
  /** The text of the current message so far. */
  #said = "";
  #isMidLine = false;
  #thought = "";
  #doing = "thinking";
  #tokens = 0;
  #frame = 0;
  #section: Section | null = null;
  /** The call whose line was shown last. */
  #lastCall = "";

  constructor(screen: Screen, tools: () => readonly AnyTool[]) {
    this.#screen = screen;
    this.#tools = tools;
    this.#wrap = new WordWrap(() => screen.columns());
    this.#timer = setInterval(() => this.#tick(), TICK_MS);
    this.#tick();
  }

  show(event: TurnEvent): void {
    if (event.agent !== undefined) return this.#showInner(event);
    if (event.kind !== "model" || event.event.kind !== "thinking") this.#endThought();
    switch (event.kind) {
      case "model":
        return this.#showModel(event.event);
      case "assistant":
        return this.#showWhole(event);
      case "tool-started":
        return this.#showCall(event.id, event.name, event.input, "green");
      case "tool-progress":
        this.#doing = event.text;
        return undefined;
      case "tool-result":
        return this.#showResult(event);
      case "denied": {
        const { tool_use_id: id, tool_name: name, tool_input: input, reason } = event.denial;
        this.#denied.add(id);
        this.#showCall(id, name, input, "yellow");
        return this.#line(`  └ denied: ${reason}`, "yellow", "calls");
      }
      case "compacting":
        this.#doing = "summarising the conversation";
        return undefined;
      case "compacted":
        this.#doing = "thinking";
        return this.#line(event.notice, "dim");
      case "notice":
        return this.#line(event.text, "dim");
    }
  }

  /** Shows the text that is still held back and removes the status line. Idempotent. */
  end(): void {
    clearInterval(this.#timer);
    this.#endThought();
    this.#endText();
    this.#screen.status(null);
  }

  #tick(): void {
    // The last word of the text is held back no longer than one tick.
    this.#write(this.#wrap.end());
    this.#frame = (this.#frame + 1) % FRAMES.length;
    const seconds = (performance.now() - this.#startedAt) / 1000;
    const facts = [duration(seconds), ...(this.#tokens > 0 ? [`${count(this.#tokens)} tokens`] : []), "Esc interrupts"];
    this.#screen.status([
      { text: `${FRAMES[this.#frame] ?? ""} `, styles: ["cyan"] },
      { text: this.#doing },
      { text: ` · ${facts.join(" · ")}`, styles: ["dim"] },
    ]);
  }

  /**
   * Shows the calls, notices and denials of a sub-agent. The sub-agent's text is for the calling agent and is not
   * shown.
   */
  #showInner(event: TurnEvent): void {
    if (event.kind === "tool-started") {
      this.#doing = `${event.name} ${toolSubjectOf(this.#tools(), event.name, event.input)}`;
    }
    if (event.kind === "notice") this.#line(event.text, "dim");
    if (event.kind === "denied") {
      this.#line(`  └ denied ${event.denial.tool_name}: ${event.denial.reason}`, "yellow", "calls");
    }
  }

  #showModel(event: Extract<TurnEvent, { kind: "model" }>["event"]): void {
    if (event.kind === "text") {
      this.#doing = "answering";
      this.#said += event.text;
      this.#text(event.text);
    } else if (event.kind === "thinking") {
      this.#doing = "thinking";
      this.#thought += event.text;
    } else if (event.kind === "tool-call") {
      this.#endText();
      this.#doing = `preparing ${event.name}`;
    } else if (event.kind === "retry") {
      const isVoid = this.#said !== "";
      this.#said = "";
      this.#doing = "waiting to ask again";
      const seconds = duration(event.delayMs / 1000);
      this.#line(`${event.reason}; asking again in ${seconds}${isVoid ? ", what was said above is void" : ""}`, "dim");
    }
  }

  /** Ends a message. Shows the text of the message unless the text was already shown piece by piece. */
  #showWhole({ blocks, usage }: Extract<TurnEvent, { kind: "assistant" }>): void {
    this.#tokens += usage.output_tokens;
    if (this.#said === "") this.#text(blockText(blocks));
    this.#said = "";
    this.#endText();
    this.#doing = "thinking";
  }

  #showCall(id: string, name: string, input: unknown, style: Style): void {
    this.#endText();
    this.#begin("calls");
    const subject = toolSubjectOf(this.#tools(), name, input);
    this.#screen.write(...callLine(name, subject, style, this.#screen.columns()));
    this.#lastCall = id;
    this.#doing = `running ${name}`;
  }

  #showResult({ id, name, output, isError }: Extract<TurnEvent, { kind: "tool-result" }>): void {
    this.#doing = "thinking";
    if (this.#denied.delete(id)) return;
    this.#endText();
    this.#begin("calls");
    if (this.#lastCall !== id) {
      this.#screen.write(...callLine(name, "", isError ? "red" : "green", this.#screen.columns()));
    }
    this.#screen.write(...resultLines(output, isError, this.#screen.columns()));
    this.#lastCall = "";
  }

  #endThought(): void {
    const thought = oneLine(this.#thought);
    this.#thought = "";
    if (thought === "") return;
    this.#line(cutToWidth(thought, MAX_THOUGHT), "dim");
  }

  #line(text: string, style: Style, section: Section = "notes"): void {
    this.#endText();
    this.#begin(section);
    this.#screen.write(...plainLines(text, [style], this.#screen.columns()));
  }

  #begin(section: Section): void {
    if (this.#section !== null && this.#section !== section) this.#screen.write({ text: "\n" });
    this.#section = section;
  }

  #text(text: string): void {
    if (text === "") return;
    this.#begin("text");
    this.#write(this.#wrap.push(this.#markdown.push(text)));
  }

  #write(spans: readonly { readonly text: string }[]): void {
    const last = spans.findLast(({ text }) => text !== "");
    if (last === undefined) return;
    this.#isMidLine = !last.text.endsWith("\n");
    this.#screen.write(...spans);
  }

  #endText(): void {
    this.#write([...this.#wrap.push(this.#markdown.end()), ...this.#wrap.end()]);
    if (this.#isMidLine) this.#write(this.#wrap.push([{ text: "\n" }]));
  }
}
