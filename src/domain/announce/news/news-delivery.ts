import type { AppContext } from '../../../lib/app/context.ts';

/** What the consumers of news work with. */
export interface NewsDelivery extends Pick<
  AppContext,
  'db' | 'log' | 'clock' | 'memory' | 'fieldCrypto' | 'push'
> {
  /** Absent where no mail server is configured. */
  mailer: AppContext['mailer'];
  /** Where the links of patients point: never a Host header, which a stranger can choose. */
  portalUrl: string;
  /** Where those of staff point. */
  backofficeUrl: string;
}
