import type { CommonOptions } from '../common-options'
import { exitCodes } from '../exit-codes'
import { printJson, printLine } from '../print'
import { examine } from './examine'
import type { Finding } from './finding'

const marks = { ok: 'ok  ', warn: 'warn', fail: 'FAIL' } as const satisfies Record<
  Finding['status'],
  string
>

/** Prints each finding as it comes (with --json all at the end) and gives 1 when one is a failure. */
export async function runDoctor({ json }: Pick<CommonOptions, 'json'>): Promise<number> {
  const findings: Finding[] = []
  for await (const finding of examine()) {
    findings.push(finding)
    if (!json) printFinding(finding)
  }
  const failed = findings.some(({ status }) => status === 'fail')
  if (json) printJson({ ok: !failed, findings })
  return failed ? exitCodes.failed : exitCodes.ok
}

function printFinding({ status, check, detail, advice }: Finding): void {
  printLine(`${marks[status]}  ${check}: ${detail}.`)
  if (advice) printLine(`      ${advice}`)
}
