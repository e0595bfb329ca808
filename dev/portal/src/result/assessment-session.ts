import { type ReadonlySignal, signal } from '@preact/signals';
import type { Diagnosis, NextQuestion, PartialAnamnesis, RedFlags, Triage } from 'dermagate-client';
import type { Outcome } from '../gateway/attempt.ts';
import { type Assessment, beginAssessment, partOf } from './assessment.ts';

export interface AssessmentPorts {
  findRedFlags: (anamnesis: PartialAnamnesis, signal: AbortSignal) => Promise<Outcome<RedFlags>>;
  triage: (anamnesis: PartialAnamnesis, signal: AbortSignal) => Promise<Outcome<Triage>>;
  /** With the first photo of the anamnesis. */
  diagnose: (anamnesis: PartialAnamnesis, signal: AbortSignal) => Promise<Outcome<Diagnosis>>;
}

export interface AssessmentSession {
  assessment: ReadonlySignal<Assessment>;
  /** Asks for everything, as at the start and in another language. */
  ask: () => void;
  /** Asks once more for what has failed. */
  retry: () => void;
  stop: () => void;
}

/** Asks for red flags, triage and diagnosis side by side; each is shown as soon as it is there. */
export function openAssessment(
  anamnesis: PartialAnamnesis,
  end: NextQuestion,
  ports: AssessmentPorts,
): AssessmentSession {
  const assessment = signal(beginAssessment(end));
  let underWay = new AbortController();

  async function request(
    name: keyof Assessment,
    call: (anamnesis: PartialAnamnesis, signal: AbortSignal) => Promise<Outcome<unknown>>,
  ): Promise<void> {
    const { signal } = underWay;
    // What is known of an emergency stays on the screen, whatever becomes of the question for more.
    const isKnown = assessment.value[name]?.state === 'answered';
    if (!isKnown) put(name, { state: 'waiting' });
    try {
      const outcome = await call(anamnesis, signal);
      if (!signal.aborted && (outcome.ok || !isKnown)) put(name, partOf(outcome));
    } catch (reason) {
      if (!signal.aborted) throw reason;
    }
  }

  const put = (name: keyof Assessment, part: object) =>
    (assessment.value = { ...assessment.value, [name]: part });

  function requestAll(isWanted: (name: keyof Assessment) => boolean): void {
    if (isWanted('redFlags')) void request('redFlags', ports.findRedFlags);
    if (isWanted('triage')) void request('triage', ports.triage);
    if (assessment.value.diagnosis !== undefined && isWanted('diagnosis'))
      void request('diagnosis', ports.diagnose);
  }

  return {
    assessment,
    ask() {
      underWay.abort();
      underWay = new AbortController();
      assessment.value = beginAssessment(end);
      requestAll(() => true);
    },
    retry: () => requestAll((name) => assessment.value[name]?.state === 'failed'),
    stop: () => underWay.abort(),
  };
}
