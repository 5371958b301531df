import { assertionText } from '@/lib/protocol/check/check-words'
import type { CheckRunDetail } from '@/lib/runs/checks/schemas'
import { countOf } from '@/lib/words/format'

type Summary = CheckRunDetail['checks'][number]

/**
 * Returns a run of checks as JUnit XML: one test case for each check and configuration. A check that did not run is an error, not a
 * failure.
 */
export function junitXml(run: CheckRunDetail): string {
  const count = (verdict: Summary['verdict']) =>
    run.checks.filter((each) => each.verdict === verdict).length
  const suite = {
    name: run.name,
    tests: String(run.checks.length),
    failures: String(count('failed')),
    errors: String(run.checks.length - count('failed') - count('passed')),
    time: seconds(run.results),
    timestamp: run.createdAt.slice(0, 19),
  }
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites>`,
    `  <testsuite${attributes(suite)}>`,
    ...run.checks.flatMap((check) => testCase(run, check)),
    '  </testsuite>',
    '</testsuites>',
    '',
  ].join('\n')
}

function testCase({ results }: CheckRunDetail, check: Summary): string[] {
  const { checkId, checkName, configurationId, configurationName, verdict } = check
  const tries = results.filter(
    (each) => each.checkId === checkId && each.configuration.id === configurationId,
  )
  const named = { name: checkName, classname: configurationName, time: seconds(tries) }
  if (verdict === 'passed') return [`    <testcase${attributes(named)}/>`]
  const lines = tries.flatMap((each) => linesOf(each, tries.length > 1))
  const kind = verdict === 'failed' ? 'failure' : 'error'
  const message = lines[0] ?? 'It has not ended.'
  const type = verdict ?? 'not-ended'
  return [
    `    <testcase${attributes(named)}>`,
    `      <${kind}${attributes({ message, type })}>${escaped(lines.join('\n'))}</${kind}>`,
    '    </testcase>',
  ]
}

/** Returns why a try is not green, a line for each reason. */
export function linesOf(
  { try: number, verdict, reason, judged, runId }: CheckRunDetail['results'][number],
  isNumbered: boolean,
): string[] {
  const red = judged?.filter(({ passed }) => !passed) ?? []
  const reasons = red.map(({ assertion, sentence }) => `${assertionText(assertion)}: ${sentence}`)
  const own = reason === '' ? reasons : [reason]
  if (verdict === 'passed' || own.length === 0) return []
  const place = isNumbered ? `Try ${number}: ` : ''
  const where = runId === null ? '' : ` (run ${runId})`
  return own.map((line) => `${place}${line}${where}`)
}

/** Returns "2 of 3 tries passed, at least 3 must." */
export function triesWords({ tries, passed, passes }: Summary): string {
  return `${passed} of ${countOf(tries, 'try', 'tries')} passed, at least ${passes} must.`
}

function seconds(tries: readonly { durationMs: number | null }[]): string {
  const ms = tries.reduce((sum, { durationMs }) => sum + (durationMs ?? 0), 0)
  return (ms / 1000).toFixed(3)
}

function attributes(values: Readonly<Record<string, string>>): string {
  return Object.entries(values)
    .map(([name, value]) => ` ${name}="${escaped(value)}"`)
    .join('')
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
  '\n': '&#10;',
  '\r': '&#13;',
  '\t': '&#9;',
}

/** Returns text without characters that XML 1.0 cannot have, and without other control characters. */
function escaped(text: string): string {
  return text
    .toWellFormed()
    .replace(/(?![\n\r\t])\p{Cc}|[\ufffe\uffff]/gu, '')
    .replace(/[&<>"'\n\r\t]/g, (character) => entities[character] ?? '')
}
