import { type ReadonlySignal, signal } from '@preact/signals';
import type { PartialAnamnesis, RedFlags, Triage } from 'dermagate-client';
import type { Outcome } from '../../gateway/attempt.ts';
import type { Language } from '../../i18n/texts.ts';
import type { StoredDiagnosis } from '../intake/intake.ts';
import { type Assessment, lastOf, partOf } from './assessment.ts';

export interface AssessmentPorts {
  findRedFlags: (anamnesis: PartialAnamnesis, signal: AbortSignal) => Promise<Outcome<RedFlags>>;
  triage: (anamnesis: PartialAnamnesis, signal: AbortSignal) => Promise<Outcome<Triage>>;
  /** With the first photo of the anamnesis. */
  diagnose: (anamnesis: PartialAnamnesis, signal: AbortSignal) => Promise<Outcome<StoredDiagnosis>>;
}

export interface AssessmentSession {
  assessment: ReadonlySignal<Assessment>;
  /** Requests everything; after a language change, all but the diagnosis, which would be another case. */
  ask: (language: Language) => void;
  /** Repeats the failed requests. */
  retry: () => void;
  /** Requests another diagnosis, which is another case. */
  diagnoseAgain: () => void;
}

/**
 * Requests red flags, triage and diagnosis in parallel; each is shown as soon as it arrives.
 * @param diagnosis its state at the start: a stored one is not requested again.
 * @param urgent what the questions have found: it stays until the flags are checked.
 */
export function openAssessment(
  anamnesis: PartialAnamnesis,
  diagnosis: Assessment['diagnosis'],
  ports: AssessmentPorts,
  urgent?: RedFlags,
): AssessmentSession {
  const assessment = signal<Assessment>({
    redFlags: { state: 'waiting', last: urgent },
    triage: { state: 'waiting' },
    diagnosis,
  });
  let askedIn: Language | undefined;
  const inFlight: Partial<Record<keyof Assessment, AbortController>> = {};

  const put = (name: keyof Assessment, part: object) =>
    (assessment.value = { ...assessment.value, [name]: part });

  async function request(name: keyof Assessment): Promise<void> {
    inFlight[name]?.abort();
    const { signal } = (inFlight[name] = new AbortController());
    const last = lastOf<unknown>(assessment.value[name]);
    put(name, { state: 'waiting', last });
    try {
      const outcome = await calls[name](anamnesis, signal);
      const part = partOf<unknown>(outcome);
      if (!signal.aborted) put(name, part.state === 'failed' ? { ...part, last } : part);
    } catch (reason) {
      if (!signal.aborted) throw reason;
    }
  }

  const calls = { redFlags: ports.findRedFlags, triage: ports.triage, diagnosis: ports.diagnose };

  return {
    assessment,
    ask(language) {
      if (language === askedIn) return;
      askedIn = language;
      void request('redFlags');
      void request('triage');
      if (assessment.value.diagnosis?.state === 'waiting' && inFlight.diagnosis === undefined)
        void request('diagnosis');
    },
    retry() {
      for (const name of ['redFlags', 'triage', 'diagnosis'] as const)
        if (assessment.value[name]?.state === 'failed') void request(name);
    },
    diagnoseAgain: () => void request('diagnosis'),
  };
}
