import { texts } from '../../i18n/language.ts';
import { FailureNotice } from '../../ui/failure-notice.tsx';
import { askFeaturesAgain, casesFailure } from './features.ts';

/** In the place of cases, while the gateway has not answered whether the clinic takes any. */
export function CasesUnknown() {
  const failure = casesFailure.value;
  if (failure === undefined) return null;
  return <FailureNotice failure={failure} note={texts.value.cases.unknown} onRetry={askFeaturesAgain} />;
}
