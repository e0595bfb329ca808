import type { CaseDetail, DermatologistAnnotation } from 'dermagate-client';

/** The signed answers of a case, the oldest first. */
export const signedAnswers = ({ annotations }: Pick<CaseDetail, 'annotations'>): DermatologistAnnotation[] =>
  annotations.filter(
    (each): each is DermatologistAnnotation => each.kind === 'dermatologist' && each.status !== 'draft',
  );

/** The signed answer that counts; undefined where there is none, or where it was withdrawn. */
export const currentAnswer = (shown: Pick<CaseDetail, 'annotations'>): DermatologistAnnotation | undefined =>
  signedAnswers(shown).findLast(({ status }) => status === 'final');
