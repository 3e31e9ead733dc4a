import { type DemoKeys, demoPerson } from './demo.ts'

/** What the terminal shows when the sandbox has started. Keys are in it only at the first start. */
export function welcomeText(
  url: string,
  keys: DemoKeys | null,
  { link, isBuilt, log, tool }: { link: string | null; isBuilt: boolean; log: string | null; tool: string },
): string {
  const address = localhostOf(url)
  return [
    '',
    `  Pombo is ready, in the sandbox: a simulated network, nothing leaves this machine.`,
    '',
    ...(link !== null && !isBuilt ? ['  Console      has not been built: run "npm ci" with the development dependencies'] : []),
    ...(link === null || !isBuilt ? [] : [`  Console      ${link}`, '               (signs you in once; every start shows a new one)']),
    `  API          ${address}/v1`,
    `  Reference    ${address}/docs`,
    `  Contract     ${address}/openapi.json`,
    ...(log === null ? [] : [`  Log          ${log}`]),
    '',
    ...(keys === null
      ? ['  Keys were shown at the first start. New ones:', `    ${tool} account list`, `    ${tool} key create --account ID --live`]
      : [`  Live key     ${keys.liveKey}`, `  Test key     ${keys.testKey}`, '               (shown only now)']),
    '',
    `  ${demoPerson.name} (${demoPerson.phone}) has just written. Answer:`,
    '',
    `    curl -w '\\n' ${address}/v1/messages \\`,
    `      -H 'Authorization: Bearer ${keys?.liveKey ?? '<your live key>'}' \\`,
    `      -H 'Content-Type: application/json' \\`,
    `      -d '{"to": "${demoPerson.phone}", "type": "text", "text": {"body": "Olá, Maria! Entregamos, sim."}}'`,
    '',
    '  See the events arrive, signed, in a second terminal:',
    '',
    `    ${tool} listen`,
    '',
    '  Ctrl-C stops everything.',
    '',
  ].join('\n')
}

/** An address of this machine as people write it. */
export const localhostOf = (url: string): string => url.replace('127.0.0.1', 'localhost').replace('[::1]', 'localhost')
