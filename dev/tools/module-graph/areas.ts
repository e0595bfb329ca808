/** The floors of the areas of `src/domain/`, from the bottom to the top. An area imports those on the floors below its own. */
export const floorsOfAreas: readonly (readonly string[])[] = [
  ['media', 'platform'],
  ['announce', 'intake'],
  ['catalogue', 'identity'],
  ['cases'],
  ['answers', 'membership'],
  ['delivery', 'desk', 'records'],
];

/** The areas on its own floor that an area may import besides. */
const besides: Readonly<Record<string, readonly string[]>> = {};

/** The rooms of `src/domain/cases/`. A room imports those before it. */
export const roomsOfCases: readonly string[] = ['record', 'photos', 'admission', 'queue', 'patient'];

/** The areas that an area may import; none for an unknown one. */
function areasFor(area: string): readonly string[] {
  const floor = floorsOfAreas.findIndex((areas) => areas.includes(area));
  return [...floorsOfAreas.slice(0, Math.max(floor, 0)).flat(), ...(besides[area] ?? [])];
}

/** The rooms that a room of `cases` may import; none for an unknown one. */
const roomsFor = (room: string) => roomsOfCases.slice(0, Math.max(roomsOfCases.indexOf(room), 0));

/** The area of a file of `src/domain/`; undefined for another file. */
export const areaOfDomain = (file: string): string | undefined => /^src\/domain\/([^/]+)\//.exec(file)?.[1];

/** The room of a file of `src/domain/cases/`; undefined for another file. */
export const roomOfCases = (file: string): string | undefined =>
  /^src\/domain\/cases\/([^/]+)\//.exec(file)?.[1];

/** Whether one file of `src/` may import another as far as areas and rooms are concerned. */
export function respectsWalls(file: string, target: string): boolean {
  const respects = (of: typeof areaOfDomain, may: (inside: string) => readonly string[]) => {
    const [inside, other] = [of(file), of(target)];
    return inside === undefined || other === undefined || inside === other || may(inside).includes(other);
  };
  return respects(areaOfDomain, areasFor) && respects(roomOfCases, roomsFor);
}
