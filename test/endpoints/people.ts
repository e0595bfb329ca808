// What several scenarios send: values that the documentation, the tests and people at an editor use alike.

/** The demo users of `npm start`. */
export const demo = {
  patient: { email: 'patient@dermagate.example', password: 'demo-patient-pass' },
  physician: { email: 'physician@dermagate.example', password: 'demo-physician-pass' },
  admin: { email: 'admin@dermagate.example', password: 'demo-admin-pass' },
};

/** Of every newcomer. */
export const password = 'correct horse battery';
export const newPassword = 'a new and longer passphrase';

/** The id of nothing. */
export const unknownId = '01900000-0000-7000-8000-000000000000';

/** As long as a token is, and never issued. */
export const unknownToken = (prefix: 'dgr' | 'dgp' | 'dgi' | 'dgv') => `${prefix}_${'A'.repeat(43)}`;
