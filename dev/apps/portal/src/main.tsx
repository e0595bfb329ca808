import { QueryClientProvider } from '@tanstack/preact-query';
import { render } from 'preact';
import '@picocss/pico/css/pico.cyan.min.css';
import './fonts/fonts.css';
import './styles/base.css';
import { forgetPush } from './account/push/push-marker.ts';
import { App } from './app.tsx';
import { noteHelpLines } from './gateway/help-lines.ts';
import { checkStart } from './gateway/start-check.ts';
import { followLanguage } from './i18n/language.ts';
import { removeIntakes } from './patient/intake/intake-storage.ts';
import { askUntilKnown } from './query/ask-until-known.ts';
import { queryClient, removeReads } from './query/query-client.ts';
import { watchRoute } from './session/route.ts';
import { onUserGone, openSession, watchSession } from './session/session.ts';

followLanguage();
watchRoute();
onUserGone(removeReads);
// Here and not in the patient’s area, which the next user may never load.
onUserGone((except) => removeIntakes({ except: except?.uuid }));
onUserGone((except) => except === undefined && forgetPush());
watchSession();
void openSession();
// Before the first question, which would name it too: a page that is opened anew can be one that asks to call.
askUntilKnown(checkStart, {
  onValue: ({ emergency_number: emergencyNumber }) => noteHelpLines({ emergencyNumber }),
});

const root = document.getElementById('app');
if (root !== null)
  render(
    <QueryClientProvider client={queryClient}>
      <App />
    </QueryClientProvider>,
    root,
  );
