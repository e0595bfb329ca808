// Photos as phones lay them out, with every kind of metadata that they write, around a generated picture.
// What each holds that must not survive is listed beside it, as the bytes to look for.
import { deflateSync } from 'node:zlib';

import { type Entry, type Fraction, iccProfile, rationals, tiffBlock } from './exif.ts';
import { pngChunk, withJpegSegment } from './images.ts';
import { IEND } from './png-files.ts';

export interface PhonePhoto {
  name: string;
  file: Buffer;
  orientation: number;
  /** The colour profile that must survive. */
  icc?: Buffer;
  /** None of these may be found in what is stored. */
  secrets: Buffer[];
}

const latin1 = (text: string) => Buffer.from(text, 'latin1');
const utf16 = (text: string) => Buffer.from(text, 'utf16le');

const GPS_LATITUDE: Fraction[] = [
  [32, 1],
  [4, 1],
  [51_73, 100],
];
const GPS_LONGITUDE: Fraction[] = [
  [34, 1],
  [46, 1],
  [18_29, 100],
];

const exifSegment = (tiff: Buffer) => Buffer.concat([latin1('Exif\0\0'), tiff]);
const xmpSegment = (xml: string) => latin1(`http://ns.adobe.com/xap/1.0/\0<x:xmpmeta>${xml}</x:xmpmeta>`);

const iccSegments = (profile: Buffer, partBytes = 65_519) => {
  const count = Math.ceil(profile.length / partBytes);
  return Array.from({ length: count }, (_, index) =>
    Buffer.concat([
      latin1('ICC_PROFILE\0'),
      Buffer.from([index + 1, count]),
      profile.subarray(index * partBytes, (index + 1) * partBytes),
    ]),
  );
};

/** The JPEG with segments right after SOI, in the order given. */
export const withSegments = (
  jpeg: Buffer,
  segments: readonly (readonly [marker: number, payload: Buffer])[],
) => segments.toReversed().reduce((file, [marker, payload]) => withJpegSegment(file, marker, payload), jpeg);

/** The JPEG without the JFIF segment that `encodeJpeg` writes first. */
export const withoutJfif = (jpeg: Buffer) =>
  Buffer.concat([jpeg.subarray(0, 2), jpeg.subarray(4 + jpeg.readUInt16BE(4))]);

const gpsEntries: Entry[] = [
  [0x0001, 'N'],
  [0x0002, GPS_LATITUDE],
  [0x0003, 'E'],
  [0x0004, GPS_LONGITUDE],
];
const gpsSecrets = (little: boolean) => [rationals(GPS_LATITUDE, little), rationals(GPS_LONGITUDE, little)];

const MP4 = Buffer.concat([
  latin1('\0\0\0\x18ftypmp42\0\0\0\0mp42isom'),
  Buffer.alloc(3000, 7),
  latin1('moov'),
]);

/** Big-endian EXIF with GPS, maker note and thumbnail, XMP, ICC, MPF, and a gain map behind the picture. */
function iphone(jpeg: Buffer, thumbnail: Buffer): PhonePhoto {
  const tiff = tiffBlock({
    little: false,
    ifd0: [
      [0x010f, 'Apple'],
      [0x0110, 'iPhone 15 Pro'],
      [0x0112, 6],
      [0x0131, '17.5.1'],
      [0x0132, '2024:06:11 18:02:33'],
    ],
    exif: [
      [0x9003, '2024:06:11 18:02:33'],
      [0x9011, '+03:00'],
      [0x927c, latin1('Apple iOS\0\0\x01MM\0\x01maker-note-acceleration')],
      [0xa434, 'iPhone 15 Pro back triple camera 6.765mm f/1.78'],
    ],
    gps: gpsEntries,
    thumbnail,
  });
  const icc = iccProfile(548);
  const mpf = latin1('MPF\0MM\0*\0\0\0\x08\0\x03multi-picture-index');
  const gainMap = withJpegSegment(
    thumbnail,
    0xe1,
    xmpSegment('<HDRGainMap:Version>65536</HDRGainMap:Version>'),
  );
  const picture = withSegments(withoutJfif(jpeg), [
    [0xe1, exifSegment(tiff)],
    [0xe1, xmpSegment('<xmp:CreatorTool>17.5.1</xmp:CreatorTool><photoshop:City>Tel Aviv</photoshop:City>')],
    ...iccSegments(icc).map((part) => [0xe2, part] as const),
    [0xe2, mpf],
  ]);
  const words = ['Apple iOS', 'iPhone', '2024:06:11', '+03:00', 'maker-note', 'xmpmeta', 'Tel Aviv', 'MPF\0'];
  return {
    name: 'iPhone',
    file: Buffer.concat([picture, gainMap]),
    orientation: 6,
    icc,
    secrets: [
      ...[...words, 'HDRGainMap', '17.5.1'].map(latin1),
      ...gpsSecrets(false),
      thumbnail.subarray(-60, -20),
    ],
  };
}

/** Little-endian EXIF, user comment, and a motion photo with Samsung's SEF directory behind the picture. */
function samsung(jpeg: Buffer, thumbnail: Buffer): PhonePhoto {
  const tiff = tiffBlock({
    little: true,
    ifd0: [
      [0x010f, 'samsung'],
      [0x0110, 'SM-S918B'],
      [0x0112, 8],
      [0x0131, 'S918BXXU3BWK4'],
    ],
    exif: [
      [0x927c, latin1('0100\x07\0maker-note-samsung')],
      [0x9286, latin1('ASCII\0\0\0my left arm')],
      [0xa420, 'F50XSNC00VMF50XSNC00'],
    ],
    gps: gpsEntries,
    thumbnail,
  });
  const trailer = [
    latin1('MotionPhoto_Data'),
    MP4,
    latin1('SEFH\x6b\0\0\0\x01\0\0\0Image_UTC_Data1718118153SEFT'),
  ];
  const words = [
    'samsung',
    'SM-S918B',
    'S918BXX',
    'maker-note',
    'my left arm',
    'F50XSNC',
    'MotionPhoto',
    'SEFT',
  ];
  return {
    name: 'Samsung',
    file: Buffer.concat([withSegments(jpeg, [[0xe1, exifSegment(tiff)]]), ...trailer]),
    orientation: 8,
    secrets: [...[...words, 'ftyp'].map(latin1), ...gpsSecrets(true), thumbnail.subarray(-60, -20)],
  };
}

/** GCamera XMP with its extension segments, a large ICC profile in parts, and an MP4 behind the picture. */
function pixel(jpeg: Buffer): PhonePhoto {
  const tiff = tiffBlock({
    little: true,
    ifd0: [
      [0x010f, 'Google'],
      [0x0110, 'Pixel 8 Pro'],
      [0x0112, 1],
      [0x0131, 'HDR+ 1.0.606'],
    ],
    gps: gpsEntries,
  });
  const icc = iccProfile(140_000);
  const extension = (text: string) => latin1(`http://ns.adobe.com/xmp/extension/\0${'5'.repeat(32)}${text}`);
  const picture = withSegments(jpeg, [
    [0xe1, exifSegment(tiff)],
    [0xe1, xmpSegment('<GCamera:MotionPhoto>1</GCamera:MotionPhoto><Container:Directory/>')],
    [0xe1, extension('GDepth:Data'.repeat(2000))],
    [0xe1, extension('GImage:Data'.repeat(2000))],
    ...iccSegments(icc).map((part) => [0xe2, part] as const),
  ]);
  const words = [
    'Google',
    'Pixel 8',
    'HDR+',
    'GCamera',
    'Container:',
    'GDepth',
    'GImage',
    'ns.adobe.com',
    'ftyp',
  ];
  return {
    name: 'Pixel',
    file: Buffer.concat([picture, MP4]),
    orientation: 1,
    icc,
    secrets: [...words.map(latin1), ...gpsSecrets(true)],
  };
}

/** JFIF and nothing else. */
const messenger = (jpeg: Buffer): PhonePhoto => ({
  name: 'messenger',
  file: jpeg,
  orientation: 1,
  secrets: [],
});

/** JFIF with a thumbnail, a JFXX thumbnail, private APPn, a comment, EXIF behind all that. */
function huawei(jpeg: Buffer, thumbnail: Buffer): PhonePhoto {
  const rgbThumbnail = Buffer.alloc(4 * 4 * 3, 'huawei-thumb');
  const jfif = Buffer.concat([Buffer.from('JFIF\0\x01\x02\x01\0\x48\0\x48\x04\x04', 'latin1'), rgbThumbnail]);
  const tiff = tiffBlock({
    little: false,
    ifd0: [
      [0x010e, 'rotfl_scene_description'],
      [0x010f, 'HUAWEI'],
      [0x0110, 'VOG-L29'],
      [0x0112, 3],
    ],
    exif: [[0x927c, latin1('HUAWEI\0\0MMmaker-note')]],
    gps: gpsEntries,
    thumbnail,
  });
  const file = withSegments(withoutJfif(jpeg), [
    [0xe0, jfif],
    [0xe0, Buffer.concat([latin1('JFXX\0\x10'), thumbnail])],
    [0xe5, latin1('HUAWEI private APP5')],
    [0xe7, latin1('faceinfo:x=103,y=55')],
    [0xfe, latin1('a comment by the camera app')],
    [0xe1, exifSegment(tiff)],
  ]);
  const words = [
    'huawei',
    'HUAWEI',
    'VOG-L29',
    'JFXX',
    'APP5',
    'faceinfo',
    'a comment',
    'rotfl',
    'maker-note',
  ];
  const secrets = [...words.map(latin1), ...gpsSecrets(false), thumbnail.subarray(-60, -20)];
  return { name: 'Huawei', file, orientation: 3, secrets };
}

/** Edited on a computer: Photoshop resources with IPTC, Adobe's transform with a tail, XMP, comments. */
function edited(jpeg: Buffer): PhonePhoto {
  const iptc = latin1(
    'Photoshop 3.0\x008BIM\x04\x04\0\0\0\0\0\x1a\x1c\x02\x50\0\x0bDr. Example\x1c\x02\x5a\0\x05Haifa',
  );
  const file = withSegments(withoutJfif(jpeg), [
    [0xee, latin1('Adobe\0\x64\0\0\0\0\x01hidden tail')],
    [0xed, iptc],
    [0xe1, xmpSegment('<dc:creator>Dr. Example</dc:creator>')],
    [0xec, latin1('Ducky\0\x01\0\x04\0\0\0\x50')],
    [0xfe, utf16('zweiter Kommentar')],
  ]);
  const words = ['Photoshop', '8BIM', 'Dr. Example', 'Haifa', 'xmpmeta', 'Ducky', 'hidden tail'];
  return { name: 'edited', file, orientation: 1, secrets: [...words.map(latin1), utf16('Kommentar')] };
}

/** One photo for each layout. `jpeg` as `encodeJpeg` writes it (JFIF first), `thumbnail` any small JPEG. */
export const phonePhotos = (jpeg: Buffer, thumbnail: Buffer): PhonePhoto[] => [
  iphone(jpeg, thumbnail),
  samsung(jpeg, thumbnail),
  pixel(jpeg),
  messenger(jpeg),
  huawei(jpeg, thumbnail),
  edited(jpeg),
];

/** A PNG screenshot with every text form, EXIF, time, private chunks, and a web page behind the picture. */
export function screenshot(png: Buffer): PhonePhoto {
  const tiff = tiffBlock({
    little: false,
    ifd0: [
      [0x0110, 'iPad14,3'],
      [0x0112, 6],
    ],
    gps: gpsEntries,
  });
  const icc = iccProfile(3000);
  const header = 8 + 25;
  const before = [
    pngChunk('iCCP', Buffer.concat([latin1("Dana's iPad\0\0"), deflateSync(icc)])),
    pngChunk('pHYs', Buffer.from([0, 0, 0x16, 0x25, 0, 0, 0x16, 0x25, 1])),
    pngChunk('eXIf', tiff),
    pngChunk('tEXt', latin1('Software\0Screenshot 12')),
    pngChunk('iTXt', latin1('XML:com.adobe.xmp\0\0\0\0\0<x:xmpmeta>Dana</x:xmpmeta>')),
    pngChunk('iDOT', Buffer.alloc(28, 'idot-private')),
  ];
  const after = [
    pngChunk('zTXt', Buffer.concat([latin1('Raw profile type exif\0\0'), deflateSync(tiff)])),
    pngChunk('tIME', Buffer.from([0x07, 0xe8, 6, 11, 18, 2, 33])),
    pngChunk('prVt', latin1('who-knows')),
  ];
  const middle = png.subarray(header, -IEND.length);
  const words = [
    'Dana',
    'iPad',
    'Software',
    'Screenshot',
    'tEXt',
    'iTXt',
    'zTXt',
    'tIME',
    'prVt',
    'iDOT',
    'who-knows',
  ];
  return {
    name: 'screenshot',
    file: Buffer.concat([
      png.subarray(0, header),
      ...before,
      middle,
      ...after,
      IEND,
      latin1('<html><script>'),
    ]),
    orientation: 6,
    icc,
    secrets: [...[...words, 'xmpmeta', 'Raw profile', 'idot', '<script>'].map(latin1), ...gpsSecrets(false)],
  };
}
