import { ClawError } from "claw-contract";

const NAME = /^[A-Za-z0-9_-]{1,64}$/;

/** Whether a text is one segment of a topic, as the names of clusters and machines are. */
export const isSegment = (name: string): boolean => NAME.test(name);

/** Checks the name of a cluster or a machine: one segment of a topic. Throws INVALID_FLAG_VALUE. */
export function requireSegment(flag: string, name: string): string {
  if (isSegment(name)) return name;
  throw new ClawError("INVALID_FLAG_VALUE", `${flag} must be one segment of a topic, not '${name.slice(0, 200)}'`, {
    operation: "read_name",
    target: flag,
    hint: "Use letters, digits, _ and -, at most 64 of them.",
  });
}

const PLAIN_TOPIC = /^[A-Za-z0-9_-]+(?:\.[A-Za-z0-9_-]+)*$/;

/** Bytes of a segment that a subject takes as they are; `%` and all others are written as `%` and two digits. */
const encodeSegment = (segment: string): string =>
  segment === ""
    ? "%"
    : Buffer.from(segment)
        .toString("latin1")
        .replace(/[^A-Za-z0-9_-]/g, (byte) => {
          const digits = byte.charCodeAt(0).toString(16).toUpperCase();
          return `%${digits.padStart(2, "0")}`;
        });

const decodeSegment = (segment: string): string => {
  if (segment === "%") return "";
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
};

/**
 * A topic as part of a subject. Every topic of the contract is one as it is. Other topics, which older clients may use,
 * are written segment by segment with `%`: an empty segment is `%`, any byte besides letters, digits, `_` and `-` is `%`
 * and two digits.
 */
export const encodeTopic = (topic: string): string =>
  PLAIN_TOPIC.test(topic) ? topic : topic.split(".").map(encodeSegment).join(".");

export const decodeTopic = (text: string): string =>
  text.includes("%") ? text.split(".").map(decodeSegment).join(".") : text;

/** The subjects of a cluster: `claw.<cluster>.<machine>.<topic>`. */
export interface Subjects {
  /** The subject on which a machine publishes a topic. */
  of(machine: string, topic: string): string;
  /** The machine and the topic of a subject of this cluster. */
  read(subject: string): { readonly machine: string; readonly topic: string };
  /** All subjects of the cluster. */
  readonly all: string;
}

export function createSubjects(cluster: string): Subjects {
  const prefix = `claw.${cluster}.`;
  return {
    of: (machine, topic) => `${prefix}${machine}.${encodeTopic(topic)}`,
    read: (subject) => {
      const end = subject.indexOf(".", prefix.length);
      return { machine: subject.slice(prefix.length, end), topic: decodeTopic(subject.slice(end + 1)) };
    },
    all: `${prefix}>`,
  };
}

/** The name of the stream of a cluster. */
export const streamName = (cluster: string): string => `claw_${cluster}`;
