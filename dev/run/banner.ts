import type { DemoUser } from '../../src/cli/seed.ts';

/** First steps, as commands to paste into a POSIX shell in the project folder. */
export function banner(
  url: string,
  users: readonly DemoUser[],
  photo: string,
  { portal, inbox, isLive }: { portal: string | undefined; inbox: string | undefined; isLive: boolean },
): string {
  const login = users.find(({ role }) => role === 'physician') ?? users[0];
  const width = Math.max(0, ...users.map(({ email }) => email.length));
  const json = `-H 'content-type: application/json'`;
  const token = `sed 's/.*"access_token":"\\([^"]*\\)".*/\\1/'`;
  const newUser = `{"email":"you-'$RANDOM'@example.org","password":"correct horse battery","role":"patient"}`;
  return [
    ...(portal === undefined ? [] : [`  Portal   ${portal} (for patients, physicians and admins)`]),
    `  Docs     ${url}/api/docs`,
    `  OpenAPI  ${url}/api/openapi.json`,
    ...(inbox === undefined ? [] : [`  Mails    ${inbox} (none leaves this machine)`]),
    ...(isLive && users.length > 0
      ? [`  Live     npm run live -- --url ${url} (counts of the queue as they change)`]
      : []),
    ...(users.length === 0 ? [] : ['', '  Demo users:']),
    ...users.map(({ email, password, role }) => `    ${email.padEnd(width)}  ${password}  (${role})`),
    '',
    '  Try it:',
    '',
    `curl -s ${url}/health; echo`,
    '',
    `curl -s ${url}/api/auth/register ${json} -d '${newUser}'; echo`,
    ...(login === undefined
      ? []
      : [
          '',
          `TOKEN=$(curl -s ${url}/api/auth/login ${json} -d '${JSON.stringify({ email: login.email, password: login.password })}' | ${token})`,
          `curl -s ${url}/api/auth/me -H "authorization: Bearer $TOKEN"; echo`,
          '',
          `curl -s ${url}/api/diagnosis -H "authorization: Bearer $TOKEN" -F image=@${photo} -F 'anamnesis=<dev/run/demo/anamnesis.json'; echo`,
          '',
          `  ${photo} is a drawing; replace it with your own photo, and edit the answers in the JSON file.`,
        ]),
    '',
  ].join('\n');
}
