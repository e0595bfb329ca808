import { latin1 } from './sniff.ts';

const HEADER_BYTES = 128;
const TAG_ENTRY_BYTES = 12;
/** Real profiles have some twenty. A file of 15 MB has room for a million, and reading them all would take a second. */
const MAX_TAGS = 256;
/**
 * Header fields that do not affect colours, as [start, end): preferred CMM, date and time, platform, device manufacturer
 * and model, creator, and the MD5 of the whole profile (zeros mean "not computed"); ICC.1:2022, table 17.
 */
const DEVICE_FIELDS = [
  [4, 8],
  [24, 36],
  [40, 44],
  [48, 56],
  [80, 128],
] as const;
/** Tags that colours are computed from; ICC.1:2022, section 9.2. All other tags only describe. */
const COLOUR_TAGS = new Set(
  (
    'A2B0 A2B1 A2B2 B2A0 B2A1 B2A2 D2B0 D2B1 D2B2 D2B3 B2D0 B2D1 B2D2 B2D3 ' +
    'rXYZ gXYZ bXYZ rTRC gTRC bTRC kTRC wtpt bkpt chad gamt cicp'
  ).split(' '),
);
/** The text type of ICC 4; readers refuse it unless it declares a record size, even without records. */
const MLUC = 0x6d6c7563;
const MLUC_RECORD_BYTES = 12;
const MLUC_HEAD_BYTES = 16;
// Writers may pad the profile to a multiple of four.
const PADDING_BYTES = 3;

/**
 * Whether `totalBytes` bytes that begin with `start` are exactly one ICC profile, by its declared size (bytes 0–3) and
 * its signature `acsp` (36–39); ICC.1:2022, section 7.2. Does not validate the tags.
 */
export function isIccProfile(start: Uint8Array, totalBytes: number): boolean {
  if (start.length < HEADER_BYTES || latin1(start, 36, 4) !== 'acsp') return false;
  const ownBytes = new DataView(start.buffer, start.byteOffset, start.byteLength).getUint32(0);
  return ownBytes >= HEADER_BYTES && ownBytes <= totalBytes && ownBytes + PADDING_BYTES >= totalBytes;
}

/**
 * A copy of a profile that {@link isIccProfile} accepts, with the same colours (by its first 256 tags) and no other
 * information: descriptions, copyright, make, model and serial number of a display, dates and bytes between the tags become
 * zeros. Length and offsets stay the same.
 */
export function withoutDescriptions(profile: Uint8Array): Uint8Array {
  const source = new DataView(profile.buffer, profile.byteOffset, profile.byteLength);
  const bare = new Uint8Array(profile.length);
  const target = new DataView(bare.buffer);
  const copy = (start: number, end: number) => {
    if (start < end) bare.set(profile.subarray(start, end), start);
  };
  const tags = readTags(profile, source);
  for (const { start, end } of tags.filter(({ name }) => !COLOUR_TAGS.has(name))) {
    if (end - start < MLUC_HEAD_BYTES) continue;
    copy(start, start + 4);
    if (source.getUint32(start) === MLUC) target.setUint32(start + 12, MLUC_RECORD_BYTES);
  }
  let copied = 0;
  const colours = tags.filter(({ name }) => COLOUR_TAGS.has(name));
  for (const { start, end } of colours.toSorted((a, b) => a.start - b.start)) {
    // Tags may share data; copying each byte once keeps the time linear.
    copy(Math.max(start, copied), end);
    copied = Math.max(copied, end);
  }
  copy(0, Math.min(profile.length, HEADER_BYTES + 4 + tags.length * TAG_ENTRY_BYTES));
  for (const [start, end] of DEVICE_FIELDS) bare.fill(0, start, end);
  return bare;
}

/** The beginning of the tag table (section 7.3); an entry that points beyond the profile becomes empty. */
function readTags(profile: Uint8Array, view: DataView) {
  if (profile.length < HEADER_BYTES + 4) return [];
  const room = Math.floor((profile.length - HEADER_BYTES - 4) / TAG_ENTRY_BYTES);
  const count = Math.min(view.getUint32(HEADER_BYTES), room, MAX_TAGS);
  return Array.from({ length: count }, (_, index) => {
    const entry = HEADER_BYTES + 4 + index * TAG_ENTRY_BYTES;
    const start = view.getUint32(entry + 4);
    const end = start + view.getUint32(entry + 8);
    return { name: latin1(profile, entry, 4), start, end: end <= profile.length ? end : start };
  });
}
