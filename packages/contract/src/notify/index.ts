export type { Notice, NoticeChannel, NoticeKind } from "./notice.ts";
export { NOTICE_CHANNELS, NOTICE_KINDS, noticeOf } from "./notice.ts";
