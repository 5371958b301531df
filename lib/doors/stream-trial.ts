import 'server-only'
import { z } from 'zod'
import type { Ctx } from '@/lib/kernel/context'
import { describeError } from '@/lib/kernel/describe-error'
import { keepTrial } from '@/lib/runs/replay/kept-trials'
import type { PolicyTrial } from '@/lib/runs/replay/trial-shape'
import { runsOfPage, runTrial, TrialInput } from '@/lib/runs/replay/try-policy'
import { RuleTrial, ruleTrialInput } from '@/lib/runs/replay/try-rule'
import { parseSiteFile } from '@/lib/site-file/parse-site-file'
import { draftOf } from '@/lib/site-file/policy-draft'
import { type Streamed, streamWork } from './stream-work'

const { draft, days, configuration, group } = TrialInput.shape

/** A change that a page tries: a draft, a rule as its form has it, or a part of a site file. */
export const TriedChange = z.discriminatedUnion('of', [
  z.strictObject({ of: z.literal('draft'), draft, days }),
  z.strictObject({ of: z.literal('rule'), ...RuleTrial.shape }),
  z.strictObject({
    of: z.literal('file'),
    file: z.string().trim().min(1, 'Enter the change.').max(200_000, 'At most 200,000 characters.'),
    days,
    configuration,
    group,
  }),
])

/** Event of a trial: how far it is, then the result, or the reason why there is none. */
export type TrialEvent =
  | { type: 'progress'; done: number; of: number }
  | { type: 'outcome'; trial: PolicyTrial }
  | { type: 'failed'; error: { code: string; message: string; fields?: Record<string, string> } }

const progressEveryMs = 200

const barred: TrialEvent = {
  type: 'failed',
  error: {
    code: 'forbidden',
    message: 'The test was stopped, because you are signed out or may not test changes any more.',
  },
}

/** Tries a change on the newest runs, streams how far it is, as `streamWork` does, and keeps the result for a day. */
export function streamTrial({
  tried,
  ...reader
}: Streamed & { tried: z.output<typeof TriedChange> }): Response {
  return streamWork<TrialEvent>(reader, {
    work: async (send, signal) => {
      let lastAt = 0
      const onProgress = (done: number, of: number) => {
        if (Date.now() - lastAt < progressEveryMs) return
        lastAt = Date.now()
        send({ type: 'progress', done, of })
      }
      const input = await inputOf(reader.ctx, tried)
      const trial = await runTrial(reader.ctx, input, { signal, onProgress })
      await keepTrial(reader.ctx, { input, signal }, trial)
      return { type: 'outcome', trial }
    },
    failed: (thrown) => {
      const { code, message, fields } = describeError(thrown, 'policy-trial')
      return { type: 'failed', error: { code, message, ...(fields && { fields }) } }
    },
    barred: () => barred,
  })
}

async function inputOf(ctx: Ctx, tried: z.output<typeof TriedChange>) {
  if (tried.of === 'rule') return ruleTrialInput(tried)
  if (tried.of === 'draft') {
    const { draft, days } = tried
    return TrialInput.parse({ draft, days, mostRuns: runsOfPage })
  }
  const { file, days, configuration, group } = tried
  const draft = await draftOf(ctx, parseSiteFile(file))
  return TrialInput.parse({ draft, days, configuration, group, mostRuns: runsOfPage })
}
