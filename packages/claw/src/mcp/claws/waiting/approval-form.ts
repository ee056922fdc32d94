import type { ApprovalView, Immutable, JsonObject } from "claw-contract";
import { cutChars, isObject, nonEmptyText } from "claw-contract";
import { printableText } from "../../../verbs/index.ts";

type Approval = Immutable<ApprovalView>;

/** Characters of a question's subject in a form. */
const SUBJECT_CHARS = 2000;

/** What a client's person said to a form. Null: no person decided. */
export interface FormAnswer {
  readonly decision: "approve" | "reject";
  readonly chosen: string | undefined;
  readonly reason: string | undefined;
}

/** The subject of a question, one fact a line. */
function subjectText({ subject }: Approval): string {
  const lines = Object.entries(subject).map(
    ([name, value]) => `${name}: ${typeof value === "string" ? value : JSON.stringify(value)}`,
  );
  return cutChars(printableText(lines.join("\n")), SUBJECT_CHARS);
}

function messageOf(approval: Approval): string {
  const { worker, message, deadline, cut, masked } = approval;
  const notes = [
    ...(cut === true ? ["The question was too long and is cut; see all of it with claw approvals."] : []),
    ...(masked === true ? ["Secrets are masked."] : []),
    `Without an answer by ${deadline} the answer is reject. Declining or closing this form decides nothing.`,
  ];
  return [`${printableText(worker)} asks: ${printableText(message)}`, subjectText(approval), ...notes].join("\n");
}

const optionText = ({ id, label }: Approval["options"][number]): string =>
  label === undefined ? id : `${id}: ${label}`;

const choiceField = ({ options }: Approval): JsonObject =>
  options.length === 0
    ? {}
    : {
        choice: {
          type: "string",
          title: "Option",
          description: `For approve: ${printableText(options.map(optionText).join("; "))}`,
          enum: options.map(({ id }) => id),
        },
      };

/** The form by which a client asks its person about an approval. An explicit answer, yes or no, is an accepted form. */
export const approvalForm = (approval: Approval): JsonObject => ({
  method: "elicitation/create",
  params: {
    mode: "form",
    message: messageOf(approval),
    requestedSchema: {
      type: "object",
      properties: {
        decision: { type: "string", title: "Decision", enum: ["approve", "reject"] },
        ...choiceField(approval),
        reason: { type: "string", title: "Reason", description: "The worker is told." },
      },
      required: ["decision"],
    },
  },
});

/**
 * Reads a client's answer to a form. Programs without a person answer `decline` or `cancel` by themselves, so both, and
 * a form without a decision, decide nothing.
 */
export function readForm(response: unknown): FormAnswer | null {
  const { action, content } = isObject(response) ? response : {};
  if (action !== "accept" || !isObject(content)) return null;
  const { decision, choice, reason } = content;
  if (decision !== "approve" && decision !== "reject") return null;
  return { decision, chosen: decision === "approve" ? nonEmptyText(choice) : undefined, reason: nonEmptyText(reason) };
}

/** Whether a client can show forms. Clients before the form mode existed declare an empty object. */
export function showsForms(capabilities: JsonObject): boolean {
  const { elicitation } = capabilities;
  return isObject(elicitation) && (Object.keys(elicitation).length === 0 || isObject(elicitation["form"]));
}
