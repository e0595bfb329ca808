import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Small files that run for ten seconds or more on a quiet machine. */
const LONGEST = [
  '/test/docs.db.test.ts',
  '/dev/tools/vignettes/vignettes.db.test.ts',
  '/test/cli/outbox.test.ts',
  '/test/endpoints/contract.db.test.ts',
  '/dev/tools/intake/random-intakes.test.ts',
  '/dev/services/start-services.test.ts',
  '/dev/run/start.test.ts',
  '/dev/packages/functions-host/test/life.test.ts',
  '/dev/tools/vignettes/further.test.ts',
  '/test/infra/deploy.test.ts',
];

/**
 * Runs the files of one project after the other, so that a worker process is used again by the next file: first those
 * that start browsers and apps, last the many short ones, which leave no worker without work. Within a project the
 * longest files start first: vitest remembers their times, but not on a fresh clone, where it goes by their size.
 */
export class ProjectSequencer extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    // oxlint-disable-next-line unicorn/no-array-sort -- the sequencer's own method, which sorts no array in place
    const sorted = await super.sort(files);
    return sorted.toSorted((a, b) => rankOf(a) - rankOf(b) || lengthOf(b) - lengthOf(a));
  }
}

function rankOf({ project, moduleId }: TestSpecification): number {
  if (project.name === 'unit') return 2;
  return moduleId.includes('/test/browser/') ? 0 : 1;
}

const lengthOf = ({ moduleId }: TestSpecification) => Number(LONGEST.some((file) => moduleId.endsWith(file)));
