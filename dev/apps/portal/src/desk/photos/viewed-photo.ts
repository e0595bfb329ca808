/** A photo that the viewer can show. */
export interface ViewedPhoto {
  uuid: string;
  label: string;
}
