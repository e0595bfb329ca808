/** An image is seen by its owner, and by physicians and admins of its tenant; for others it does not exist. */
export function maySee(image: { owner_user_id: number }, user: { id: number; role: string }): boolean {
  return image.owner_user_id === user.id || user.role === 'physician' || user.role === 'admin';
}
