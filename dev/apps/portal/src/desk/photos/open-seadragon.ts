import OpenSeadragon from 'openseadragon';

export type Viewer = OpenSeadragon.Viewer;

/**
 * OpenSeadragon adds a style sheet of its own, which a strict Content-Security-Policy refuses with an error, unless an
 * element with this mark exists. One in no namespace is never applied; desk.css has the rule.
 */
function standInForItsStyles(): void {
  const mark = 'data-openseadragon-mobile-css';
  if (document.querySelector(`style[${mark}]`) !== null) return;
  const stand = document.createElementNS('', 'style');
  stand.setAttribute(mark, 'true');
  document.head.append(stand);
}

/** Shows the photo at `url` in `element`, without controls and keys of its own. */
export function openViewer(element: HTMLElement, url: string): Viewer {
  standInForItsStyles();
  const viewer = new OpenSeadragon.Viewer({
    element,
    tileSources: { type: 'image', url },
    drawer: 'canvas',
    preserveImageSizeOnResize: true,
    showNavigationControl: false,
    keyboardNavEnabled: false,
    crossOriginPolicy: false,
    animationTime: matchMedia('(prefers-reduced-motion: reduce)').matches ? 0 : 0.3,
    // Eight screen pixels for each of the photo.
    maxZoomPixelRatio: 8,
    minZoomImageRatio: 0.5,
    visibilityRatio: 0.3,
    gestureSettingsMouse: { clickToZoom: false, dblClickToZoom: true },
    gestureSettingsTouch: { pinchRotate: true },
  } as OpenSeadragon.Options);
  keepWhole(viewer);
  return viewer;
}

/** A photo that is seen whole stays so when its place gets another size; else it keeps its own. */
function keepWhole(viewer: Viewer): void {
  const { viewport } = viewer;
  let wholeAt = 0;
  let wasWhole = false;
  viewer.addHandler('open', () => {
    wholeAt = viewport.getHomeZoom();
  });
  // The new size counts already, so the zoom is compared with what was whole before.
  viewer.addHandler('resize', () => {
    wasWhole = Math.abs(viewport.getZoom() - wholeAt) < 0.001 * wholeAt;
  });
  viewer.addHandler('viewport-change', () => {
    wholeAt = viewport.getHomeZoom();
    if (wasWhole) viewport.zoomTo(wholeAt, undefined, true);
    wasWhole = false;
  });
}

/** How many screen pixels a pixel of the photo takes. */
export function zoomOf({ viewport, world }: Viewer): number {
  return world.getItemCount() === 0 ? 0 : viewport.viewportToImageZoom(viewport.getZoom(true));
}

export const zoomToPixels = ({ viewport }: Viewer): void =>
  void viewport.zoomTo(viewport.imageToViewportZoom(1));

export const zoomBy = ({ viewport }: Viewer, factor: number): void => void viewport.zoomBy(factor);

/** @param right and down as shares of what is seen. */
export function pan({ viewport }: Viewer, right: number, down: number): void {
  const { width, height } = viewport.getBounds(true);
  viewport.panBy(new OpenSeadragon.Point(right * width, down * height).rotate(-viewport.getRotation()));
}

/** Shows in `other` the same part at the same size and turn. */
export function follow({ viewport }: Viewer, other: Viewer): void {
  other.viewport.zoomTo(viewport.getZoom(true), undefined, true);
  other.viewport.panTo(viewport.getCenter(true), true);
  other.viewport.setRotation(viewport.getRotation(true), true);
}
