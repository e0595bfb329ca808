import { render } from 'preact';
import '@picocss/pico/css/pico.cyan.min.css';
import './styles/base.css';
import './styles/intake.css';
import './styles/result.css';
import { App } from './app.tsx';
import { watchFeatures } from './cases/features.ts';
import { followLanguage } from './i18n/language.ts';
import { watchRoute } from './session/route.ts';
import { openSession, watchSession } from './session/session.ts';

followLanguage();
watchRoute();
watchSession();
watchFeatures();
void openSession();

const root = document.getElementById('app');
if (root !== null) render(<App />, root);
