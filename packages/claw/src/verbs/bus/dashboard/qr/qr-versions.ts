/** The sizes of QR codes with the lowest level of correction, L, of which one is chosen by the length of the text. */
export interface QrVersion {
  readonly version: number;
  /** Bytes of data, and bytes of correction of each block. */
  readonly dataBytes: number;
  readonly correctionBytes: number;
  readonly blocks: number;
  /** Rows and columns of the centres of the small squares. */
  readonly centres: readonly number[];
}

const row = (
  version: number,
  dataBytes: number,
  correctionBytes: number,
  more: Partial<QrVersion> = {},
): QrVersion => ({
  version,
  dataBytes,
  correctionBytes,
  blocks: 1,
  centres: [],
  ...more,
});

/** Larger codes do not fit a terminal of 80 columns. */
const VERSIONS: readonly QrVersion[] = [
  row(1, 19, 7),
  row(2, 34, 10, { centres: [6, 18] }),
  row(3, 55, 15, { centres: [6, 22] }),
  row(4, 80, 20, { centres: [6, 26] }),
  row(5, 108, 26, { centres: [6, 30] }),
  row(6, 136, 18, { centres: [6, 34], blocks: 2 }),
  row(7, 156, 20, { centres: [6, 22, 38], blocks: 2 }),
  row(8, 194, 24, { centres: [6, 24, 42], blocks: 2 }),
  row(9, 232, 30, { centres: [6, 26, 46], blocks: 2 }),
];

/** Bytes for the kind and the length of the text. */
const HEADER_BYTES = 2;

/** The smallest version that holds a text; undefined when none does. */
export const versionFor = (textBytes: number): QrVersion | undefined =>
  VERSIONS.find(({ dataBytes }) => textBytes + HEADER_BYTES <= dataBytes);

/** Number of modules along one side of the QR code. */
export const sizeOf = ({ version }: QrVersion): number => 17 + 4 * version;
