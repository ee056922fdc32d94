const SELF = "{self}";

/** Puts a peer's id where a topic or pattern says `{self}`. */
export const resolveSelf = (topic: string, peerId: string): string => topic.replaceAll(SELF, peerId);
