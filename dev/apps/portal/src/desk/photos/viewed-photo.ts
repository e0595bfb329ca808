/** A photo that the viewer can show. */
export interface ViewedPhoto {
  uuid: string;
  label: string;
}

/** Where staff read a photo of a case. */
export const photoPath = (uuid: string) => `/api/v1/backoffice/images/${uuid}`;
