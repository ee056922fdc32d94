import { constants } from "node:fs";
import { dirname, join } from "node:path";
import type { SessionMessage } from "claw-contract";
import { ClawError, LIMITS } from "claw-contract";
import type { FileLock, FileSystem } from "../files/index.ts";
import {
  acquireLock,
  CLAW_FOLDER,
  clawFolder,
  errnoOf,
  lockState,
  PRIVATE_FOLDER,
  syncFile,
  syncFolder,
  withFileErrors,
} from "../files/index.ts";
import type { Conversation } from "./conversation.ts";
import { createConversationBuilder } from "./conversation.ts";
import type { OpenTurn } from "./open-turn.ts";
import { openTurn } from "./open-turn.ts";
import type { OwnSessions } from "./own-sessions.ts";
import { openOwnSessions } from "./own-sessions.ts";
import { removeSession } from "./remove-session.ts";
import type { SessionEntry, SessionListing } from "./session-files.ts";
import { findSessionFile, listSessionFiles, withSessionFile } from "./session-files.ts";
import type { OnRecord, SessionReading } from "./session-reader.ts";
import { readSession } from "./session-reader.ts";
import { newSessionId, parseSessionRef } from "./session-ref.ts";
import type { SessionGlimpse } from "./session-summary.ts";
import { glimpseSession } from "./session-summary.ts";
import type { StoredTurn } from "./store-turn.ts";
import { storeTurn } from "./store-turn.ts";
import type { TailRepair } from "./torn-tail.ts";
import { repairTail } from "./torn-tail.ts";

export interface ReadOptions {
  readonly onRecord?: OnRecord;
  readonly signal: AbortSignal;
  /** Leave the file as it is. */
  readonly unchanged?: boolean;
}

/** The sessions of one folder. Methods throw ClawError; waiting methods take a signal and throw the signal's reason. */
export interface SessionStore {
  /** Absolute path of the sessions folder; it need not exist. */
  readonly directory: string;
  /** Every session, newest first, without opening any. */
  list(): SessionListing;
  /** The session a reference names. Throws NO_SESSIONS, SESSION_NOT_FOUND, INVALID_SESSION_ID. */
  find(ref: string): SessionEntry;
  /** Like `find`, for resuming: `latest` is this user's newest own session in this workspace, never a foreign one. */
  findToResume(ref: string): SessionEntry;
  /** Whether this user created the session, or has resumed it by name. Any other session came with the folder. */
  isOwn(entry: SessionEntry): boolean;
  /** The id that a reference names, existing or not; undefined for `latest` when no session is stored. */
  idOf(ref: string): string | undefined;
  /** Like `idOf`, with `latest` as in `findToResume`. */
  idToResume(ref: string): string | undefined;
  glimpse(entry: SessionEntry): SessionGlimpse;
  isHeld(id: string): boolean;
  /** Reads the whole file. Repairs an unfinished last line, unless another process is writing or `unchanged` is set. */
  read(entry: SessionEntry, options: ReadOptions): Promise<SessionReading & { repair: TailRepair | undefined }>;
  /** Stores a turn, in a new session when `id` is undefined or unknown. Resolves when the turn is on disk. */
  appendTurn(id: string | undefined, messages: readonly SessionMessage[], signal: AbortSignal): Promise<StoredTurn>;
  /**
   * Begins a turn whose records are stored one by one, in a new session when `id` is undefined or unknown. A new
   * session may start as a copy of another. Throws SESSION_LOCKED when another process keeps writing to the session.
   */
  openTurn(id: string | undefined, options: NewSession, signal: AbortSignal): Promise<OpenTurn>;
  /** The conversation of a session, as far as it is committed. */
  converse(entry: SessionEntry, signal: AbortSignal): Promise<Conversation>;
  /** Forces a session to disk. */
  sync(entry: SessionEntry): void;
  /** Removes a session while no process writes to it. Resolves when the file is gone for good. */
  remove(id: string, signal: AbortSignal): Promise<void>;
}

/** Options of a session that a turn creates. */
export interface NewSession {
  readonly model?: string;
  /** The session to start from. */
  readonly fork?: SessionEntry;
}

/** Location of the sessions of a folder, and the ports to reach them. */
interface StorePlace {
  readonly fs: FileSystem;
  readonly cwd: string;
  readonly directory: string;
  readonly lockWaitMs: number;
  readonly own: OwnSessions;
}

export interface SessionStoreOptions {
  readonly cwd: string;
  readonly lockWaitMs?: number;
}

export function createSessionStore(fs: FileSystem, options: SessionStoreOptions): SessionStore {
  const { cwd, lockWaitMs = LIMITS.lockWaitMs } = options;
  const directory = join(cwd, CLAW_FOLDER, "sessions");
  const place: StorePlace = { fs, cwd, directory, lockWaitMs, own: openOwnSessions(fs, cwd) };
  return {
    directory,
    find: (ref) => findSession(place, ref),
    findToResume: (ref) => findToResume(place, ref),
    isOwn: (entry) => place.own.has(entry),
    idOf: (ref) => resolveId(place, ref, newestOfAll),
    idToResume: (ref) => resolveId(place, ref, newestOwn),
    list: () => listSessions(place),
    glimpse: (entry) => glimpseSession(fs, entry),
    isHeld: (id) => lockState(fs, lockPath(place, id)).kind === "held",
    sync: (entry) => syncSession(fs, entry),
    read: async (entry, { onRecord, signal, unchanged = false }) => {
      const reading = await readSession(fs, entry, { signal, ...(onRecord === undefined ? {} : { onRecord }) });
      if (reading.tail === "whole" || unchanged) return { ...reading, repair: undefined };
      return { ...reading, repair: await tryRepair(place, entry, signal) };
    },
    appendTurn: async (id, messages, signal) => {
      const name = id ?? newSessionId(Date.now());
      makeDirectory(place);
      const stored = await locked(place, name, signal, () =>
        storeTurn({ fs, cwd, directory, id: name, messages, signal }),
      );
      place.own.claim(stored);
      return stored;
    },
    openTurn: (id, options, signal) => beginTurn(place, id ?? newSessionId(Date.now()), options, signal),
    converse: (entry, signal) => converse(fs, entry, signal),
    remove: async (id, signal) => {
      // Looked up before locking, so that a missing session leaves no lock file behind even for a moment.
      findById(place, id);
      await locked(place, id, signal, () => removeSession(fs, directory, id));
      place.own.forget(id);
    },
  };
}

const lockPath = ({ directory }: StorePlace, id: string): string => join(directory, `${id}.lock`);

/** A session deleted meanwhile has no messages. */
function hasMessages(fs: FileSystem, entry: SessionEntry): boolean {
  try {
    return glimpseSession(fs, entry).totals?.messages !== 0;
  } catch (error) {
    if (error instanceof ClawError && error.code === "SESSION_NOT_FOUND") return false;
    throw error;
  }
}

/** Throws when the folder is a link or belongs to another user. */
const requireDirectory = ({ fs, cwd }: StorePlace): string => clawFolder(cwd, "sessions", fs);

function makeDirectory(place: StorePlace): void {
  const path = requireDirectory(place);
  withFileErrors("create", path, () => place.fs.mkdirSync(path, { recursive: true, mode: PRIVATE_FOLDER }));
}

const listSessions = (place: StorePlace): SessionListing => listSessionFiles(place.fs, requireDirectory(place));

const findById = (place: StorePlace, id: string): SessionEntry =>
  findSessionFile(place.fs, requireDirectory(place), id);

/** The newest eligible session with messages, otherwise the newest eligible session. */
function newest(place: StorePlace, counts: (entry: SessionEntry) => boolean): SessionEntry | undefined {
  const { entries } = listSessions(place);
  return entries.find((entry) => counts(entry) && hasMessages(place.fs, entry)) ?? entries.find(counts);
}

const newestOwn = (place: StorePlace): SessionEntry | undefined => newest(place, (entry) => place.own.has(entry));

const newestOfAll = (place: StorePlace): SessionEntry | undefined => newest(place, () => true);

function resolveId(place: StorePlace, ref: string, latest: typeof newestOwn): string | undefined {
  const parsed = parseSessionRef(ref, place);
  return parsed.kind === "id" ? parsed.id : latest(place)?.id;
}

function noSessions(ref: string, { directory }: StorePlace, foreign = 0): ClawError {
  const some = `no session in ${directory} is known to be yours, and ${foreign} may have come with the folder`;
  return new ClawError("NO_SESSIONS", foreign === 0 ? `no sessions in ${directory}` : some, {
    operation: "resolve_session",
    target: ref,
    details: { sessions_dir: directory },
    ...(foreign === 0 ? {} : { hint: "Look at them with claw list-sessions; go on with one by --resume and its id." }),
  });
}

function findSession(place: StorePlace, ref: string): SessionEntry {
  const id = resolveId(place, ref, newestOfAll);
  if (id !== undefined) return findById(place, id);
  throw noSessions(ref, place);
}

function findToResume(place: StorePlace, ref: string): SessionEntry {
  if (parseSessionRef(ref, place).kind === "id") return findSession(place, ref);
  const own = newestOwn(place);
  if (own === undefined) throw noSessions(ref, place, listSessions(place).entries.length);
  return own;
}

async function converse(fs: FileSystem, entry: SessionEntry, signal: AbortSignal): Promise<Conversation> {
  const builder = createConversationBuilder();
  await readSession(fs, entry, { onRecord: (record) => builder.add(record), signal });
  return builder.build();
}

async function beginTurn(place: StorePlace, id: string, options: NewSession, signal: AbortSignal): Promise<OpenTurn> {
  const { fs, cwd, directory } = place;
  const { fork, model } = options;
  const start = fork === undefined ? undefined : await converse(fs, fork, signal);
  makeDirectory(place);
  const lock = await lockSession(place, id, signal);
  const meta = {
    cwd,
    ...(model === undefined ? {} : { model }),
    ...(fork === undefined ? {} : { fork: { parent_session_id: fork.id } }),
  };
  const release = (): void => lock.release();
  try {
    const turn = { fs, directory, id, meta, release, signal, ...(start === undefined ? {} : { start }) };
    const opened = await openTurn(turn);
    place.own.claim({ id, path: opened.path });
    return opened;
  } catch (error) {
    release();
    throw error;
  }
}

async function lockSession(place: StorePlace, id: string, signal: AbortSignal): Promise<FileLock> {
  const path = lockPath(place, id);
  const attempt = await acquireLock(place.fs, { path, waitMs: place.lockWaitMs }, signal);
  if (attempt.kind === "held") throw busy(place.fs, id, path);
  return attempt.lock;
}

async function locked<T>(place: StorePlace, id: string, signal: AbortSignal, run: () => T | Promise<T>): Promise<T> {
  return releasing(await lockSession(place, id, signal), run);
}

async function releasing<T>(lock: FileLock, run: () => T | Promise<T>): Promise<T> {
  try {
    return await run();
  } finally {
    lock.release();
  }
}

function busy(fs: FileSystem, id: string, path: string): ClawError {
  const state = lockState(fs, path);
  const owner = state.kind === "held" ? state.owner : undefined;
  const who = owner === undefined ? "another process" : `process ${owner.pid}`;
  return new ClawError("SESSION_LOCKED", `session '${id}' is held by ${who}`, {
    operation: "lock_session",
    target: id,
    retryAfterMs: LIMITS.lockWaitMs,
    details: {
      lock_path: path,
      ...(owner === undefined ? {} : { holder_pid: owner.pid, held_ms: Math.max(0, Date.now() - owner.since_ms) }),
    },
  });
}

/** Repairs the end of a session after reading, if no other process is writing and the disk allows it. */
async function tryRepair(place: StorePlace, entry: SessionEntry, signal: AbortSignal): Promise<TailRepair | undefined> {
  const { fs } = place;
  try {
    const attempt = await acquireLock(fs, { path: lockPath(place, entry.id), waitMs: 0 }, signal);
    if (attempt.kind === "held") return undefined;
    return await releasing(attempt.lock, () =>
      withSessionFile(fs, entry.path, constants.O_RDWR | constants.O_APPEND, (fd) => repairTail(fs, fd, entry.path)),
    );
  } catch (error) {
    // The reading itself succeeded; a disk that cannot be written leaves the repair to the next writer.
    if (errnoOf(error) === undefined && !(error instanceof ClawError)) throw error;
    return undefined;
  }
}

function syncSession(fs: FileSystem, entry: SessionEntry): void {
  withSessionFile(fs, entry.path, constants.O_RDONLY, (fd) =>
    withFileErrors("sync", entry.path, () => {
      syncFile(fs, fd);
      syncFolder(fs, dirname(entry.path));
    }),
  );
}
