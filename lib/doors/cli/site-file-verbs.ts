import { writeFile } from 'node:fs/promises'
import { createInterface } from 'node:readline/promises'
import { AppError } from '@/lib/kernel/errors'
import { applySite } from '@/lib/site-file/apply-site'
import { kindWord } from '@/lib/site-file/entry'
import { exportSite } from '@/lib/site-file/export-site'
import { planFingerprint, planSite, type SitePlan } from '@/lib/site-file/plan-site'
import { parseSiteFile } from '@/lib/site-file/site-file'
import { actingCtx } from './acting-ctx'
import { exitCodes } from './exit-codes'
import { planLines } from './plan-words'
import { printJson, printLine } from './print'
import { readFileOrInput } from './read-file-or-input'

export type ExportOptions = { as?: string; output?: string }
export type ApplyOptions = {
  as?: string
  json?: boolean
  file: string
  plan?: boolean
  yes?: boolean
  reason: string
}

const maxBytes = 8 * 1024 * 1024
/** What `--plan` exits with when there is something to do. */
const changesExitCode = 2

export async function writeSite({ as, output }: ExportOptions): Promise<void> {
  const text = await exportSite(await actingCtx(as))
  if (output === undefined) {
    process.stdout.write(text)
    return
  }
  await writeFile(output, text).catch(() => {
    throw new AppError('file', 500, `Cannot write ${output}. Check its folder.`)
  })
  printLine(`Wrote ${output}.`)
}

/** Shows what would change, asks whoever sits in front of it, and does it. */
export async function applyFile(options: ApplyOptions): Promise<number> {
  const ctx = await actingCtx(options.as)
  const file = parseSiteFile((await readFileOrInput(options.file, maxBytes)).toString('utf8'))
  const plan = await planSite(ctx, file)
  if (options.json) printJson(plan)
  else for (const line of planLines(plan)) printLine(line)
  if (plan.problems.length > 0) return exitCodes.failed
  if (options.plan) return plan.steps.length > 0 ? changesExitCode : exitCodes.ok
  if (plan.steps.length === 0) return exitCodes.ok
  if (!(await isAgreed(options, plan))) {
    printLine('Nothing was applied.')
    return exitCodes.failed
  }
  await applySite(ctx, file, {
    reason: options.reason || `Applied from ${options.file === '-' ? 'a file' : options.file}`,
    fingerprint: planFingerprint(plan),
    onStep: ({ kind, key }) => {
      if (!options.json) printLine(`Done: ${kindWord(kind)} ${key}`)
    },
  })
  return exitCodes.ok
}

/** Asks a person in a terminal whether to apply. Returns true for a program, which has read the plan before. */
async function isAgreed({ yes, json, file }: ApplyOptions, { steps }: SitePlan): Promise<boolean> {
  if (yes || json || file === '-' || !process.stdin.isTTY || !process.stdout.isTTY) return true
  const asking = createInterface({ input: process.stdin, output: process.stdout })
  const answer = await asking.question(`Apply ${steps.length === 1 ? 'it' : 'them'}? [y/N] `)
  asking.close()
  return /^y(es)?$/i.test(answer.trim())
}
