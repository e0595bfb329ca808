import { createHash } from 'node:crypto';
import { v7 as uuidv7 } from 'uuid';
import type { AccountActor } from '../../../contract/actor.ts';
import { stripMetadata } from '../../../lib/image/strip-metadata.ts';
import type { InspectedImage } from './accept-image.ts';
import { newBlobName } from './blob-name.ts';
import type { NewImage } from './image.queries.ts';
import { imagePath, type StoredImageReply } from './image.schemas.ts';

/** A picture without metadata, ready to be written: its bytes are views of the upload. */
export interface CleanImage extends NewImage {
  pieces: Uint8Array[];
  /** SHA-256 in hexadecimal, to compare with others. */
  hash: string;
}

/** The account whose photos they are. */
export type ImageOwner = Pick<AccountActor, 'id' | 'tenantId'>;

/** Removes the metadata; names and identifies what is left. */
export function cleanImage({ bytes, facts }: InspectedImage, owner: ImageOwner): CleanImage {
  const pieces = stripMetadata(bytes, facts);
  const digest = createHash('sha256');
  for (const piece of pieces) digest.update(piece);
  const sha256 = digest.digest();
  return {
    uuid: uuidv7(),
    tenantId: owner.tenantId,
    ownerUserId: owner.id,
    blobName: newBlobName(),
    sha256,
    hash: sha256.toString('hex'),
    contentType: facts.type,
    widthPx: facts.widthPx,
    heightPx: facts.heightPx,
    orientation: facts.orientation,
    sizeBytes: pieces.reduce((sum, piece) => sum + piece.byteLength, 0),
    pieces,
  };
}

/** @param uuid of the row that stores these bytes, which may be an earlier one. */
export function replyOf(uuid: string, image: CleanImage): StoredImageReply {
  const { hash: sha256, contentType, widthPx, heightPx, sizeBytes, orientation } = image;
  return { uuid, url: imagePath(uuid), sha256, contentType, widthPx, heightPx, sizeBytes, orientation };
}
