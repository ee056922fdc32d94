import { join } from "node:path";
import type { FileSystem } from "../../files/index.ts";
import { errnoOf, PRIVATE_FOLDER, withFileErrors } from "../../files/index.ts";
import { dropFile, readSnapshotFile, sequenceOf, snapshotName, writeSnapshot } from "./snapshot-file.ts";
import type { Snapshot } from "./snapshot-store.ts";

/** States at some places of the log, from which the states between are rebuilt. Losing one only costs time. */
export interface MomentStore {
  /** The places, in order. */
  sequences(): readonly number[];
  /** Reads the state at a place. A file that is damaged or of another log is removed: undefined. */
  load(sequence: number, epoch: string): Snapshot | undefined;
  /** Whether another state fits without removing older ones. */
  hasRoom(): boolean;
  /**
   * Keeps a state. Beyond the size limit, every second of the oldest states is removed. Resolves when the state is kept or
   * the disk has refused it; never rejects.
   */
  save(snapshot: Snapshot): Promise<void>;
  /** Removes the states before a place, because the log no longer holds the events after them. */
  forgetBefore(sequence: number): void;
  /** Removes the states after a place, because a crash took away the events up to them. */
  forgetAfter(sequence: number): void;
}

export interface MomentStoreOptions {
  readonly directory: string;
  readonly maxBytes: number;
  readonly report: (problem: string) => void;
}

/** The first of the oldest states is the oldest moment that can be shown, so it stays. */
const thinned = (sequences: readonly number[]): number[] =>
  sequences.slice(0, Math.ceil(sequences.length / 2)).filter((_sequence, index) => index % 2 === 1);

class FileMomentStore implements MomentStore {
  readonly #fs: FileSystem;
  readonly #options: MomentStoreOptions;
  /** Bytes of the files, by sequence, in order of the sequences. */
  readonly #sizes = new Map<number, number>();
  #bytes = 0;

  constructor(fs: FileSystem, options: MomentStoreOptions) {
    this.#fs = fs;
    this.#options = options;
    const { directory } = options;
    withFileErrors("open", directory, () => {
      fs.mkdirSync(directory, { recursive: true, mode: PRIVATE_FOLDER });
      for (const name of fs.readdirSync(directory).toSorted()) {
        const sequence = sequenceOf(name);
        if (sequence !== undefined) this.#note(sequence, fs.lstatSync(join(directory, name)).size);
        else if (name.endsWith(".tmp")) dropFile(fs, join(directory, name));
      }
    });
  }

  sequences(): readonly number[] {
    return [...this.#sizes.keys()].toSorted((left, right) => left - right);
  }

  load(sequence: number, epoch: string): Snapshot | undefined {
    const reading = readSnapshotFile(this.#fs, this.#path(sequence));
    if (reading.kind === "snapshot" && reading.snapshot.epoch === epoch && reading.snapshot.sequence === sequence) {
      return reading.snapshot;
    }
    this.#drop(sequence);
    return undefined;
  }

  hasRoom(): boolean {
    return this.#bytes < this.#options.maxBytes;
  }

  async save(snapshot: Snapshot): Promise<void> {
    const path = this.#path(snapshot.sequence);
    try {
      await writeSnapshot(this.#fs, path, snapshot);
      this.#note(snapshot.sequence, this.#fs.lstatSync(path).size);
      while (!this.hasRoom() && this.#sizes.size > 2) thinned(this.sequences()).forEach((each) => this.#drop(each));
    } catch (error) {
      if (errnoOf(error) === undefined) throw error;
      this.#options.report(`the state after event ${snapshot.sequence} was not kept: ${String(error)}`);
    }
  }

  forgetBefore(sequence: number): void {
    for (const each of this.sequences()) if (each < sequence) this.#drop(each);
  }

  forgetAfter(sequence: number): void {
    for (const each of this.sequences()) if (each > sequence) this.#drop(each);
  }

  #path(sequence: number): string {
    return join(this.#options.directory, snapshotName(sequence));
  }

  #note(sequence: number, size: number): void {
    this.#bytes += size - (this.#sizes.get(sequence) ?? 0);
    this.#sizes.set(sequence, size);
  }

  #drop(sequence: number): void {
    this.#bytes -= this.#sizes.get(sequence) ?? 0;
    this.#sizes.delete(sequence);
    dropFile(this.#fs, this.#path(sequence));
  }
}

/** Opens the states kept in a folder, one file for each. Only one process may use the folder. */
export const openMomentStore = (fs: FileSystem, options: MomentStoreOptions): MomentStore =>
  new FileMomentStore(fs, options);
