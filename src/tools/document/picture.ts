import { imageSize } from 'image-size'

/** Width and height, as in `640 × 480 pixels`. Throws for a picture that is broken. */
export function sizeOfPicture(bytes: Uint8Array): string {
  const { width, height } = imageSize(bytes)
  return `${width} × ${height} pixels`
}
